import { digest } from "../shared/random.ts";

/** Somebody who can sign in at the OpenID provider. */
export interface User {
  /** How tests and the sign-in form name them. */
  readonly name: string;
  /** Stable subject identifier. */
  readonly subject: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly hasPicture: boolean;
  readonly summary: string;
  /** Ends every sign-in with access_denied, whatever the form says. */
  readonly denies: boolean;
}

function person(
  name: string,
  displayName: string,
  fields: Partial<Omit<User, "name" | "displayName" | "subject">> & { summary: string },
): User {
  return {
    name,
    displayName,
    subject: digest("person", name).toString("hex").slice(0, 24),
    email: `${name}@example.test`,
    emailVerified: true,
    hasPicture: true,
    denies: false,
    ...fields,
  };
}

export const USERS: readonly User[] = [
  person("admin", "Avery Admin", { summary: "Verified e-mail. Made for the admin panel." }),
  person("admin-two", "Blake Admin", { summary: "Verified e-mail. A second admin." }),
  person("ada", "Ada Lindqvist", { summary: "Verified e-mail." }),
  person("ben", "Ben Okafor", { emailVerified: false, summary: "An e-mail that was never verified." }),
  person("no-email", "Noor Haddad", {
    email: null,
    emailVerified: false,
    hasPicture: false,
    summary: "No e-mail and no picture.",
  }),
  person("unicode", "Zoë Ångström 統一 🦜 שלום", { summary: "A name in many scripts." }),
  person("admin-unverified", "Avery Admin?", {
    email: "admin@example.test",
    emailVerified: false,
    summary: "The admin's e-mail, not verified.",
  }),
  person("admin-other-account", "Avery Admin (new account)", {
    email: "admin@example.test",
    summary: "The admin's verified e-mail on another account.",
  }),
  person("deny", "Dana Declines", { denies: true, summary: "Sign-in always ends with access_denied." }),
];

export function userNamed(name: string): User | undefined {
  return USERS.find((candidate) => candidate.name === name);
}

/** Standard claims of a person (OpenID Connect Core, 5.1); what they have not is absent. */
export function claimsOf(who: User, issuerUrl: string): { sub: string } & Record<string, string | boolean> {
  return {
    sub: who.subject,
    name: who.displayName,
    ...(who.email !== null && { email: who.email, email_verified: who.emailVerified }),
    ...(who.hasPicture && { picture: `${issuerUrl}/people/${who.name}.svg` }),
  };
}
