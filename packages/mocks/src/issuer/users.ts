import type { SignedInUser } from "@social-connect/domain";
import { ISSUER_FAULTS, randomFor, randomHex, USER_FIXTURES, userFixture } from "@social-connect/provider-fixtures";

/** Faults of the identity provider. Each makes one thing wrong: an ID token, an address, or the subject. */
export const ISSUER_LIES = ISSUER_FAULTS;
/** A fault of the identity provider. */
export type IssuerLie = (typeof ISSUER_LIES)[number];

const USER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isUserName(name: string): boolean {
  return USER_NAME.test(name);
}

export function signInIsDenied(name: string): boolean {
  return userFixture(name).denies;
}

/** The claims of a user's ID token. A name that is not listed is a user with a verified email address. */
export function userAt(issuer: string, name: string): SignedInUser {
  const { displayName, email, emailVerified, hasPicture } = userFixture(name);
  return {
    issuer,
    idpSub: randomHex(randomFor("subject", name), 12),
    email,
    emailVerified: email === null ? null : emailVerified,
    name: displayName,
    pictureUrl: hasPicture ? `${issuer}/people/${name}.svg` : null,
  };
}

export function listUsers(): readonly { readonly name: string; readonly summary: string }[] {
  return Object.entries(USER_FIXTURES).map(([name, { summary }]) => ({ name, summary }));
}
