import {
  CLIENT_LIMITS,
  checkDisplayName,
  checkPreviewReturnPath,
  checkReturnUrlRegistration,
  checkSlug,
  checkTenantKey,
  checkWebOrigin,
} from "@social-connect/domain";

/**
 * What the service will say to an input, said while it is typed: these are the service's own rules, and it applies them
 * again. Each gives the problem in words for a person, or null.
 */

/** Whether plain http on loopback is allowed is for the service to say: it depends on its mode. */
const RULES = { allowLoopbackHttp: true } as const;

export function slugProblem(slug: string): string | null {
  if (slug === "") return "Give it a slug.";
  return checkSlug(slug) === null ? null : "Use 1 to 63 lower-case letters, digits and hyphens, no hyphen at an end.";
}

export function displayNameProblem(name: string): string | null {
  if (name.trim() === "") return "Give it a name.";
  if (checkDisplayName(name) === null) return null;
  return checkDisplayName([...name].slice(0, CLIENT_LIMITS.displayNameMaxLength).join("")) === null
    ? `Use at most ${CLIENT_LIMITS.displayNameMaxLength} characters.`
    : "Use characters that can be seen and read, on one line.";
}

export function originProblem(origin: string): string | null {
  if (origin === "") return "Write an origin.";
  if (checkWebOrigin(origin, RULES) === null) return null;
  const meant = URL.canParse(origin) ? new URL(origin).origin : "null";
  const isGood = meant !== "null" && checkWebOrigin(meant, RULES) === null;
  return isGood
    ? `An origin has nothing after the host and port: did you mean ${meant}?`
    : "Write scheme and host, and the port if there is one, as in https://app.example.com";
}

export function returnUrlProblem(url: string, webOrigins: readonly string[]): string | null {
  if (url === "") return "Write an address.";
  if (checkReturnUrlRegistration(url, { ...RULES, webOrigins }) === null) return null;
  if (!URL.canParse(url)) return "Write a whole address, as in https://app.example.com/social/return";
  const { origin, hash, searchParams } = new URL(url);
  if (hash !== "" || url.endsWith("#")) return "Leave out the part from # on.";
  if ([...searchParams.keys()].some((name) => name.startsWith("ss_"))) {
    return "Parameters that begin with ss_ are the service's own.";
  }
  if (!webOrigins.includes(origin))
    return `It has to be on one of the client's origins, and ${origin} is none of them.`;
  return "Write it as a browser would: with a path, in plain characters, without a user name.";
}

export function tenantKeyProblem(tenantKey: string): string | null {
  if (tenantKey === "") return "Write a tenant key.";
  return checkTenantKey(tenantKey) === null ? null : "Use at most 128 characters.";
}

export function previewPathProblem(path: string): string | null {
  if (path === "") return "Write a path.";
  const violation = checkPreviewReturnPath(path);
  return violation === null ? null : "Write it from the first slash on, without ? and #, as in /social/return";
}

/** The first problem of several lines, naming the line when there is more than one. */
export function linesProblem(text: string, problemOf: (line: string) => string | null, whenNone: string | null) {
  const lines = linesOf(text);
  if (lines.length === 0) return whenNone;
  const doubled = lines.find((line, index) => lines.indexOf(line) !== index);
  if (doubled !== undefined) return `${doubled} is there twice.`;
  for (const line of lines) {
    const problem = problemOf(line);
    if (problem !== null) return lines.length === 1 ? problem : `${line}: ${problem}`;
  }
  return null;
}

/** One value a line; blank lines say nothing. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A slug that fits a name: “Acme Studio” becomes acme-studio. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, "");
}
