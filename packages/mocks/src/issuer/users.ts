import type { SignedInUser } from "../state/state.ts";
import { randomFor, randomHex } from "../util/random.ts";

/** A user of the mock's identity provider. A name that is not listed is a user with a verified email address. */
interface User {
  readonly displayName?: string;
  readonly email?: string | null;
  readonly emailVerified?: boolean;
  readonly hasPicture?: boolean;
  /** Every sign-in ends with access_denied. */
  readonly denies?: boolean;
  readonly summary: string;
}

const USERS: Readonly<Record<string, User>> = {
  ada: { displayName: "Ada Lindqvist", summary: "Verified email." },
  ben: { displayName: "Ben Okafor", emailVerified: false, summary: "Unverified email." },
  "no-email": { displayName: "Noor Haddad", email: null, hasPicture: false, summary: "No email and no picture." },
  unicode: { displayName: "Zoë Ångström 統一 🦜 שלום", summary: "A name in many scripts." },
  admin: { summary: "The first admin." },
  "admin-unverified": {
    email: "admin@example.test",
    emailVerified: false,
    summary: "The first admin's email, unverified.",
  },
  "admin-other-account": { email: "admin@example.test", summary: "Another account with the first admin's email." },
  deny: { displayName: "Dana Declines", denies: true, summary: "Sign-in always ends with access_denied." },
};

const USER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isUserName(name: string): boolean {
  return USER_NAME.test(name);
}

export function signInIsDenied(name: string): boolean {
  return USERS[name]?.denies === true;
}

/** The claims of a user's ID token. */
export function userAt(issuer: string, name: string): SignedInUser {
  const user = USERS[name];
  const email = user?.email === undefined ? `${name}@example.test` : user.email;
  return {
    issuer,
    idpSub: randomHex(randomFor("subject", name), 12),
    email,
    emailVerified: email === null ? null : (user?.emailVerified ?? true),
    name: user?.displayName ?? name.replaceAll(/[-_.]+/g, " "),
    pictureUrl: user?.hasPicture === false ? null : `${issuer}/people/${name}.svg`,
  };
}

export function listUsers(): readonly { readonly name: string; readonly summary: string }[] {
  return Object.entries(USERS).map(([name, { summary }]) => ({ name, summary }));
}
