import { ISSUER_FAULTS } from "@social-connect/provider-fixtures";

/** Faults of the identity provider. Each makes one thing wrong: an ID token, an address, or the subject. */
export const ISSUER_LIES = ISSUER_FAULTS;
/** A fault of the identity provider. */
export type IssuerLie = (typeof ISSUER_LIES)[number];
