/** Faults of the identity provider. Each makes one thing wrong: an ID token, an address, or the subject. */
export const ISSUER_LIES = [
  "wrong-nonce",
  "missing-nonce",
  "wrong-audience",
  "wrong-issuer",
  "broken-signature",
  "unknown-key",
  "no-signature",
  "expired",
  "stale-auth-time",
  "wrong-discovery",
  "wrong-response-issuer",
  "wrong-userinfo-subject",
] as const;
/** A fault of the identity provider. */
export type IssuerLie = (typeof ISSUER_LIES)[number];
