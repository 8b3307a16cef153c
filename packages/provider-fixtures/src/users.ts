/** A user of the simulated identity provider. */
export interface UserFixture {
  readonly displayName: string;
  /** The name's address at example.test when absent, null for none. */
  readonly email?: string | null;
  /** null: the issuer does not say. */
  readonly emailVerified?: boolean | null;
  /** The claim by which the issuer says it, and its value; `email_verified` with a boolean when absent. */
  readonly verifiedClaim?: readonly ["email_verified" | "xms_edov", boolean | number | string] | null;
  readonly hasPicture?: boolean;
  /** Every sign-in ends with access_denied. */
  readonly denies?: boolean;
  readonly summary: string;
}

/** By the name that tests and the sign-in form use. */
export const USER_FIXTURES: Readonly<Record<string, UserFixture>> = {
  admin: { displayName: "Avery Admin", summary: "Verified email, for the admin panel." },
  "admin-two": { displayName: "Blake Admin", summary: "Verified email. A second admin." },
  ada: { displayName: "Ada Lindqvist", summary: "Verified email." },
  ben: { displayName: "Ben Okafor", emailVerified: false, summary: "Unverified email." },
  cleo: {
    displayName: "Cleo Marchetti",
    emailVerified: null,
    summary: "Email without a statement that it is verified.",
  },
  "verified-as-one": {
    displayName: "Vera Eins",
    verifiedClaim: ["xms_edov", "1"],
    summary: 'Verified email, which the issuer says as `xms_edov: "1"`.',
  },
  "verified-as-number": {
    displayName: "Victor Uno",
    verifiedClaim: ["email_verified", 1],
    summary: "Verified email, which the issuer says as `email_verified: 1`.",
  },
  "unverified-as-zero": {
    displayName: "Ulla Null",
    emailVerified: false,
    verifiedClaim: ["xms_edov", "0"],
    summary: 'Unverified email, which the issuer says as `xms_edov: "0"`.',
  },
  "no-email": { displayName: "Noor Haddad", email: null, hasPicture: false, summary: "No email and no picture." },
  unicode: { displayName: "Zoë Ångström 統一 🦜 שלום", summary: "A name in many scripts." },
  "admin-unverified": {
    displayName: "Avery Admin?",
    email: "admin@example.test",
    emailVerified: false,
    summary: "The first admin's email, unverified.",
  },
  "admin-other-account": {
    displayName: "Avery Admin (new account)",
    email: "admin@example.test",
    summary: "Another account with the first admin's verified email.",
  },
  deny: { displayName: "Dana Declines", denies: true, summary: "Sign-in always ends with access_denied." },
};

/** A user by name; every other name is a user with a verified email. */
export function userFixture(name: string): Required<UserFixture> {
  const known = Object.hasOwn(USER_FIXTURES, name) ? USER_FIXTURES[name] : undefined;
  const { email = `${name}@example.test` } = known ?? {};
  return {
    displayName: name.replaceAll(/[-_.]+/g, " "),
    emailVerified: email !== null,
    hasPicture: true,
    denies: false,
    verifiedClaim: null,
    summary: "",
    ...known,
    email,
  };
}
