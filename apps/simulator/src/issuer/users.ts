import { randomFor, USER_FIXTURES, type UserFixture, userFixture } from "@social-connect/provider-fixtures";
import { digest } from "../shared/random.ts";

export function portrait(person: User): string {
  const random = randomFor("portrait", person.name);
  const hue = random.int(0, 359);
  const turn = random.int(-12, 12);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" aria-hidden="true"><rect width="96" height="96" fill="hsl(${hue} 55% 82%)"/><g transform="rotate(${turn} 48 48)"><circle cx="48" cy="40" r="19" fill="hsl(${hue} 45% 38%)"/><path d="M10 100c0-26 17-38 38-38s38 12 38 38z" fill="hsl(${(hue + 40) % 360} 45% 45%)"/></g></svg>`;
}

export interface User extends Required<UserFixture> {
  /** Identifies the user in tests and in the sign-in form. */
  readonly name: string;
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
export function claimsOf(who: User, issuerUrl: string): { sub: string } & Record<string, string | boolean | number> {
  const [verified, value] = who.verifiedClaim ?? ["email_verified", who.emailVerified];
  return {
    sub: who.subject,
    name: who.displayName,
    ...(who.email !== null && { email: who.email }),
    ...(who.email !== null && value !== null && { [verified]: value }),
    ...(who.hasPicture && { picture: `${issuerUrl}/people/${who.name}.svg` }),
  };
}
