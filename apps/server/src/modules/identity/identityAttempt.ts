/** State between the redirect to the issuer and the callback; sealed in the attempt's row. */
export interface ExchangeSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export function exchangeBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/exchange`;
}

/** The identity provider's claims about the user; all null unless the sign-in completed. */
export interface SignedInPerson {
  readonly issuer: string | null;
  readonly idpSub: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

/** Binds a sealed result to its row and column. */
export function identityResultBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/result`;
}
