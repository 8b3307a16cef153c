import { checkText, foreignBoolean, foreignName, foreignUrl } from "@social-connect/domain";
import type { IDToken } from "openid-client";

type Claims = Readonly<Record<string, unknown>>;

/** The claims of the ID token. `userInfo`, of the same subject, adds the missing claims. */
export function readAccount(idToken: IDToken, userInfo: Claims) {
  const claim = (name: string) => (isMissing(idToken[name]) ? userInfo[name] : idToken[name]);
  const email = emailClaim(claim("email"));
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    emailVerified: email === null ? null : emailVerified(idToken, userInfo),
    name: foreignName(claim("name")) ?? joinedName(claim("given_name"), claim("family_name")),
    pictureUrl: foreignUrl(claim("picture")),
  };
}

/** The name of an issuer that only sends its parts. */
function joinedName(...parts: readonly unknown[]): string | null {
  const names = parts.map((part) => foreignName(part)).filter((part) => part !== null);
  return foreignName(names.join(" "));
}

/** Whether the used address is verified: when the two sources name different addresses, each source verifies only its own. */
function emailVerified(idToken: Claims, userInfo: Claims): boolean | null {
  const [own, other] = isMissing(idToken["email"]) ? [userInfo, idToken] : [idToken, userInfo];
  const isSameAddress = isMissing(other["email"]) || other["email"] === own["email"];
  return verifiedClaim(own) ?? (isSameAddress ? verifiedClaim(other) : null);
}

/** `xms_edov` is the claim of Entra ID for an address in a domain that the tenant has verified; it has no `email_verified`. */
function verifiedClaim(claims: Claims): boolean | null {
  return foreignBoolean(claims["email_verified"]) ?? foreignBoolean(claims["xms_edov"]);
}

/** Cleaned, it could become the address of someone else, so anything that cleaning would change is null. */
export function emailClaim(value: unknown): string | null {
  const email = foreignName(value);
  return email === value ? email : null;
}

/** OpenID Connect Core 5.3.2 omits such claims; some issuers do not. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/**
 * Rejects what the library accepts: a subject that cannot be stored (at most 255 characters, OpenID Connect Core 2; it
 * identifies the user, so it is not cleaned), and a token that was issued to another client, also with a single audience.
 */
export function requireOwnToken({ sub, azp }: IDToken, clientId: string): void {
  if (checkText(sub, "sub", { maxLength: 255 }) !== null) throw new UnusableSubjectError();
  if (azp !== undefined && azp !== null && azp !== clientId) throw new ForeignAuthorizedPartyError();
}

export class UnusableSubjectError extends Error {
  constructor() {
    super("The `sub` of the ID token has more than 255 characters, or characters that cannot be stored.");
    this.name = "UnusableSubjectError";
  }
}

export class ForeignAuthorizedPartyError extends Error {
  constructor() {
    super("The `azp` of the ID token names another client.");
    this.name = "ForeignAuthorizedPartyError";
  }
}
