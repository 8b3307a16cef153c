export function exchangeBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/exchange`;
}

/** Binds a sealed result to its row and column. */
export function identityResultBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/result`;
}
