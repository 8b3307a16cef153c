import { LIMITS } from "@social-connect/contract";
import {
  type Branding,
  brandingProblem,
  CLIENT_LIMITS,
  checkDisplayName,
  checkPreviewReturnPath,
  checkReturnUrlRegistration,
  checkSlug,
  checkTenantKey,
  checkWebOrigin,
  type OriginRules,
} from "@social-connect/domain";

/** Validates input with the service's rules before it is sent. Each function returns an error message or null. */

/** Until the panel knows the deployment's rules, the service decides about plain http on loopback. */
const ANY: OriginRules = { allowLoopbackHttp: true };
const NO_HTTP = "Use https: the service is in live mode, which accepts http on no host.";

export function slugProblem(slug: string): string | null {
  if (slug === "") return "Enter a slug.";
  return checkSlug(slug) === null
    ? null
    : "Use 1 to 63 lowercase letters, digits and hyphens, without a hyphen at the start or end.";
}

export function displayNameProblem(name: string): string | null {
  if (name.trim() === "") return "Enter a name.";
  if (checkDisplayName(name) === null) return null;
  return checkDisplayName([...name].slice(0, CLIENT_LIMITS.displayNameMaxLength).join("")) === null
    ? `Use at most ${CLIENT_LIMITS.displayNameMaxLength} characters.`
    : "Use visible characters on one line.";
}

export function originProblem(origin: string, rules = ANY): string | null {
  if (origin === "") return "Enter an origin.";
  if (checkWebOrigin(origin, rules) === null) return null;
  if (checkWebOrigin(origin, ANY) === null) return NO_HTTP;
  const meant = URL.canParse(origin) ? new URL(origin).origin : "null";
  const isValid = meant !== "null" && checkWebOrigin(meant, rules) === null;
  return isValid
    ? `An origin ends after the host and port: did you mean ${meant}?`
    : "Enter the scheme and host, and the port if needed, e.g. https://app.example.com";
}

export function returnUrlProblem(url: string, webOrigins: readonly string[], rules = ANY): string | null {
  if (url === "") return "Enter a URL.";
  if (checkReturnUrlRegistration(url, { ...rules, webOrigins }) === null) return null;
  if (checkReturnUrlRegistration(url, { ...ANY, webOrigins }) === null) return NO_HTTP;
  if (!URL.canParse(url)) return "Enter an absolute URL, e.g. https://app.example.com/social/return";
  const { origin, hash, searchParams } = new URL(url);
  if (hash !== "" || url.endsWith("#")) return "Remove the fragment (#).";
  if ([...searchParams.keys()].some((name) => name.startsWith("ss_"))) {
    return "Parameters that start with ss_ are reserved.";
  }
  if (!webOrigins.includes(origin))
    return `The URL must be on one of the client's origins; ${origin} is not registered.`;
  return "Enter a normalized URL with a path, in ASCII, without a user name.";
}

export function tenantKeyProblem(tenantKey: string): string | null {
  if (tenantKey === "") return "Enter a tenant key.";
  return checkTenantKey(tenantKey) === null ? null : `Use at most ${LIMITS.scopeStringMaxLength} characters.`;
}

export function previewPathProblem(path: string): string | null {
  if (path === "") return "Enter a path.";
  const violation = checkPreviewReturnPath(path);
  return violation === null ? null : "Enter an absolute path without query or fragment, e.g. /social/return";
}

/** An empty field is allowed: it removes the value. */
export function brandingFieldProblem(field: keyof Branding, value: string): string | null {
  return value === "" ? null : brandingProblem(field, value);
}

/** The first error in a list of lines, with the line if there are several. */
export function linesProblem(text: string, problemOf: (line: string) => string | null, whenNone: string | null) {
  const lines = linesOf(text);
  if (lines.length === 0) return whenNone;
  const duplicate = lines.find((line, index) => lines.indexOf(line) !== index);
  if (duplicate !== undefined) return `${duplicate} is a duplicate.`;
  for (const line of lines) {
    const problem = problemOf(line);
    if (problem !== null) return lines.length === 1 ? problem : `${line}: ${problem}`;
  }
  return null;
}

/** One value per line; blank lines are ignored. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Derives a slug from a name: “Acme Studio” becomes acme-studio. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, "");
}
