/** Ways in which the identity provider can be told to lie. Each makes one thing wrong: an ID token, an address, who it is about. */
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
/** A way in which the identity provider can be told to lie. */
export type IssuerLie = (typeof ISSUER_LIES)[number];
