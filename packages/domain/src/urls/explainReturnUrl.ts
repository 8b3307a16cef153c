import { badUserInput, type Refusal } from "../decisions/refusal.ts";
import { parseUrl } from "./parseUrl.ts";

export const UNREGISTERED_RETURN_URL = badUserInput("`returnUrl` must equal a registered return URL.");

/**
 * Adds to the refusal of an unregistered return URL how it differs from the closest registered one, and what to do. For a
 * sandbox; any other refusal stays. Nothing is named of which 16 characters or more are in the given URL, because the SDKs
 * withhold a message that repeats as much of a request.
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
  const given = parseUrl(returnUrl);
  // `localhost:3000/connected` has the scheme `localhost`.
  if (given === null || !/^https?:$/.test(given.protocol))
    return "This one is not an absolute URL with http:// or https://.";
  const all = registered.map((url) => differingParts(given, new URL(url)));
  // The latest of equally close ones: in a development environment, the first is the example's.
  const [closest] = all.toReversed().toSorted((a, b) => a.length - b.length);
  if (closest === undefined) return "The application has none.";
  if (returnUrl !== returnUrl.trim()) closest.push("there is no white space around it");
  if (/[A-Z]/.test(returnUrl.split("/", 3).join())) closest.push("the scheme and the host have no capital letters");
  // Two spellings of one URL, such as a port that is the default.
  return closest.length === 0
    ? "The closest one is the same URL in another spelling."
    : `In the closest one, ${closest.join(", and ")}.`;
}

function differingParts(given: URL, expected: URL): string[] {
  const parts = [
    partOf("scheme", given.protocol.slice(0, -1), expected.protocol.slice(0, -1)),
    given.username + given.password === "" ? null : "there is no user name or password",
    hostPart(given.hostname, expected.hostname),
    given.port === expected.port ? null : partOf("port", portOf(given), portOf(expected)),
    pathPart(given.pathname, expected.pathname),
    given.search === expected.search ? null : "the query differs",
  ];
  return parts.filter((part) => part !== null);
}

const LENGTH_OF_REPEAT = 16;
const MOST_NAMED = 60;

function partOf(name: string, given: string, expected: string): string | null {
  if (given === expected) return null;
  const isShort = [given, expected].every(({ length }) => length < LENGTH_OF_REPEAT);
  if (isShort) return `the ${name} is ${expected}, not ${given}`;
  return expected.length > MOST_NAMED || repeats(expected, given)
    ? `the ${name} differs`
    : `the ${name} is ${expected}`;
}

/** Whether a part of `text` is also in `given`, in any case. */
function repeats(text: string, given: string): boolean {
  const starts = Array.from({ length: Math.max(0, text.length - LENGTH_OF_REPEAT + 1) }, (_, at) => at);
  return starts.some((at) => given.toLowerCase().includes(text.slice(at, at + LENGTH_OF_REPEAT).toLowerCase()));
}

function hostPart(given: string, expected: string): string | null {
  return given === `${expected}.` ? "the host has no dot at the end" : partOf("host", given, expected);
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
