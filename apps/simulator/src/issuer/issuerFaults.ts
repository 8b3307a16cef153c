/**
 * Ways in which the issuer can be told to lie, for tests of who trusts it. Each makes an answer wrong in one respect
 * and leaves everything else right.
 */
export const ISSUER_FAULTS = [
  /** The ID token carries another nonce than the request's. */
  "wrong-nonce",
  "missing-nonce",
  /** The ID token is for another client. */
  "wrong-audience",
  /** The ID token names another issuer. */
  "wrong-issuer",
  /** The signature does not belong to the token. */
  "broken-signature",
  /** Signed with a key that the issuer does not publish. */
  "unknown-key",
  /** `alg: none`, no signature at all. */
  "no-signature",
  /** The ID token ended an hour ago. */
  "expired",
  /** The sign-in happened a day ago, whatever `max_age` asked for. */
  "stale-auth-time",
  /** Discovery names another issuer. */
  "wrong-discovery",
  /** The way back to the application names another issuer (RFC 9207). */
  "wrong-response-issuer",
  /** The user info is about somebody else. */
  "wrong-userinfo-subject",
] as const;
export type IssuerFault = (typeof ISSUER_FAULTS)[number];
