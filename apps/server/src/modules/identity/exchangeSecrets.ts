/** What has to be remembered between sending the browser to the issuer and its return; sealed in the attempt's row. */
export interface ExchangeSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export function exchangeBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/exchange`;
}
