/** State between the redirect to the issuer and the callback; sealed in the attempt's row. */
export interface ExchangeSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export function exchangeBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/exchange`;
}

/** Binds a sealed result to its row and column. */
export function identityResultBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/result`;
}
