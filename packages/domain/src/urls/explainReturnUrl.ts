import { badUserInput, type Refusal } from "../decisions/refusal.ts";

export const UNREGISTERED_RETURN_URL = badUserInput("`returnUrl` must equal a registered return URL.");

/**
 * Adds to the refusal of an unregistered return URL how it differs from the closest registered one, and what to do. For a
 * sandbox; any other refusal stays. No part of 16 characters or more is named, because the SDKs withhold a message that repeats
 * as much of a request.
 */
export function explainReturnUrl<Refused extends Refusal | null>(
  refusal: Refused,
  {
    returnUrl,
    registered,
    remedy,
  }: { readonly returnUrl: string; readonly registered: readonly string[]; readonly remedy: string },
): Refused | Refusal {
  if (refusal !== UNREGISTERED_RETURN_URL) return refusal;
  return {
    ...UNREGISTERED_RETURN_URL,
    message: `${UNREGISTERED_RETURN_URL.message} ${difference(returnUrl, registered)} ${remedy}`,
  };
}

function difference(returnUrl: string, registered: readonly string[]): string {
  if (!URL.canParse(returnUrl)) return "This one is not an absolute URL.";
  const all = registered.map((url) => differingParts(new URL(returnUrl), new URL(url)));
  const [closest] = all.toSorted((a, b) => a.length - b.length);
  if (closest === undefined) return "The application has none.";
  // Two spellings of one URL, such as a port that is the default.
  return closest.length === 0
    ? "The closest one is the same URL in another spelling."
    : `In the closest one, ${closest.join(", and ")}.`;
}

function differingParts(given: URL, expected: URL): string[] {
  const parts = [
    partOf("scheme", given.protocol.slice(0, -1), expected.protocol.slice(0, -1)),
    partOf("host", given.hostname, expected.hostname),
    given.port === expected.port ? null : partOf("port", portOf(given), portOf(expected)),
    pathPart(given.pathname, expected.pathname),
    given.search === expected.search ? null : "the query differs",
  ];
  return parts.filter((part) => part !== null);
}

const MOST_NAMED = 15;

function partOf(name: string, given: string, expected: string): string | null {
  if (given === expected) return null;
  const isShort = given.length <= MOST_NAMED && expected.length <= MOST_NAMED;
  return isShort ? `the ${name} is ${expected}, not ${given}` : `the ${name} differs`;
}

function pathPart(given: string, expected: string): string | null {
  if (given === `${expected}/`) return "the path has no slash at the end";
  if (expected === `${given}/`) return "the path has a slash at the end";
  if (given !== expected && given.toLowerCase() === expected.toLowerCase()) return "the path has other capital letters";
  return partOf("path", given, expected);
}

function portOf({ port, protocol }: URL): string {
  if (port !== "") return port;
  return protocol === "https:" ? "443" : "80";
}
