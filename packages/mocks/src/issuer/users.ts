import type { SignedInPerson } from "../state/state.ts";
import { randomFor, randomHex } from "../util/random.ts";

/** Somebody who can sign in at the mock's identity provider. Any other name is a person with a verified e-mail address. */
interface Person {
  readonly displayName?: string;
  readonly email?: string | null;
  readonly emailVerified?: boolean;
  readonly hasPicture?: boolean;
  /** Ends every sign-in with access_denied. */
  readonly denies?: boolean;
  readonly summary: string;
}

const PEOPLE: Readonly<Record<string, Person>> = {
  ada: { displayName: "Ada Lindqvist", summary: "Verified e-mail." },
  ben: { displayName: "Ben Okafor", emailVerified: false, summary: "An e-mail that was never verified." },
  "no-email": { displayName: "Noor Haddad", email: null, hasPicture: false, summary: "No e-mail and no picture." },
  unicode: { displayName: "Zoë Ångström 統一 🦜 שלום", summary: "A name in many scripts." },
  admin: { summary: "The admin that the mock begins with." },
  "admin-unverified": {
    email: "admin@example.test",
    emailVerified: false,
    summary: "The first admin's address, never verified.",
  },
  "admin-other-account": { email: "admin@example.test", summary: "Another account with the first admin's address." },
  deny: { displayName: "Dana Declines", denies: true, summary: "Sign-in always ends with access_denied." },
};

const PERSON_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isPersonName(name: string): boolean {
  return PERSON_NAME.test(name);
}

export function declines(name: string): boolean {
  return PEOPLE[name]?.denies === true;
}

/** What the issuer says of a person. */
export function personAt(issuer: string, name: string): SignedInPerson {
  const person = PEOPLE[name];
  const email = person?.email === undefined ? `${name}@example.test` : person.email;
  return {
    issuer,
    idpSub: randomHex(randomFor("subject", name), 12),
    email,
    emailVerified: email === null ? null : (person?.emailVerified ?? true),
    name: person?.displayName ?? name.replaceAll(/[-_.]+/g, " "),
    pictureUrl: person?.hasPicture === false ? null : `${issuer}/people/${name}.svg`,
  };
}

export function knownPeople(): readonly { readonly name: string; readonly summary: string }[] {
  return Object.entries(PEOPLE).map(([name, { summary }]) => ({ name, summary }));
}
