/** What has to be remembered between sending the browser to the issuer and its return; sealed in the attempt's row. */
export interface ExchangeSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export function exchangeBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/exchange`;
}

/** What the identity provider said of the person; all null unless the sign-in completed. */
export interface SignedInPerson {
  readonly issuer: string | null;
  readonly idpSub: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

/** Names the row and column of a sealed result. */
export function identityResultBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/result`;
}
