/** Faults of the issuer, for tests of its clients. Each makes one part of a response invalid. */
export const ISSUER_FAULTS = [
  /** The ID token's nonce is not the request's. */
  "wrong-nonce",
  "missing-nonce",
  /** The ID token is issued for a different client. */
  "wrong-audience",
  /** The ID token names a different issuer. */
  "wrong-issuer",
  /** The signature is invalid. */
  "broken-signature",
  /** Signed with a key that the issuer does not publish. */
  "unknown-key",
  /** `alg: none` without a signature. */
  "no-signature",
  /** The ID token expired an hour ago. */
  "expired",
  /** `auth_time` is a day ago, regardless of `max_age`. */
  "stale-auth-time",
  /** The discovery document names a different issuer. */
  "wrong-discovery",
  /** The `iss` parameter of the redirect names a different issuer (RFC 9207). */
  "wrong-response-issuer",
  /** UserInfo describes a different user. */
  "wrong-userinfo-subject",
] as const;
/** A valid response that a client has to expect: a request with a `prompt` is refused with `invalid_request`. */
export const ISSUER_REFUSALS = ["refused-prompt"] as const;
/** A fault of the identity provider. */
export type IssuerFault = (typeof ISSUER_FAULTS | typeof ISSUER_REFUSALS)[number];
