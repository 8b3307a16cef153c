/** What every answer to a redeem holds. */
export interface IdpIdentityFields {
  /** The person's address; it can move to somebody else, so it is no key. */
  readonly email: string | null;
  /** Whether the identity provider has checked the address. */
  readonly emailVerified: boolean | null;
  /** The person's name. */
  readonly name: string | null;
  /** A picture of the person. */
  readonly pictureUrl: string | null;
}

/** The person has signed in. */
export interface IdpIdentityCompleted extends IdpIdentityFields {
  /** Final: the proof is used up. */
  readonly status: "COMPLETED";
  /** The identity provider's address. With `idpSub`, the key of a person. */
  readonly issuer: string;
  /** The identity provider's stable id of the person. */
  readonly idpSub: string;
}

/** The person has not signed in, or not yet. A status that a later service adds comes as it is. */
export interface IdpIdentityNotCompleted extends IdpIdentityFields {
  /** PENDING leaves the proof good; any other status has used it up. */
  readonly status: "PENDING" | "DENIED" | "FAILED" | "EXPIRED";
  /** Null unless the person has signed in. */
  readonly issuer: string | null;
  /** Null unless the person has signed in. */
  readonly idpSub: string | null;
}

/** What a redeem gave. */
export type IdpIdentityResult = IdpIdentityCompleted | IdpIdentityNotCompleted;
