import { USER_FIXTURES, type UserFixture, userFixture } from "@social-connect/provider-fixtures";
import { digest } from "../shared/random.ts";

/** A user of the OpenID provider. */
export interface User extends Required<UserFixture> {
  /** Identifies the user in tests and in the sign-in form. */
  readonly name: string;
  /** Stable subject identifier. */
  readonly subject: string;
}

export const USERS: readonly User[] = Object.keys(USER_FIXTURES).map((name) => ({
  ...userFixture(name),
  name,
  subject: digest("person", name).toString("hex").slice(0, 24),
}));

export function userNamed(name: string): User | undefined {
  return USERS.find((candidate) => candidate.name === name);
}

/** Standard claims of a user (OpenID Connect Core, 5.1); unknown claims are absent. */
export function claimsOf(who: User, issuerUrl: string): { sub: string } & Record<string, string | boolean> {
  return {
    sub: who.subject,
    name: who.displayName,
    ...(who.email !== null && { email: who.email }),
    ...(who.email !== null && who.emailVerified !== null && { email_verified: who.emailVerified }),
    ...(who.hasPicture && { picture: `${issuerUrl}/people/${who.name}.svg` }),
  };
}
