import { ConfigurationError } from "./errors.ts";

/** A name that may appear in an error. Anything else could be a key that was passed in the wrong place. */
const NAME = /^[A-Za-z]\w{0,30}$/;

/**
 * Throws for an unknown name, with the known name that was probably meant, and for anything but an object with names: an
 * AbortSignal in place of the options has none of them, and would be ignored.
 */
export function refuseUnknownNames(name: string, value: object, known: readonly string[], operation?: string): void {
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    throw new ConfigurationError(`${name} must be an object.`, operation);
  }
  const what = name === "options" ? "option" : `property of ${name}`;
  const unknown = Object.keys(value).find((given) => !known.includes(given));
  if (unknown === undefined) return;
  const named = NAME.test(unknown) ? ` \`${unknown}\`` : "";
  throw new ConfigurationError(`Unknown ${what}${named}.${suggestionFor(unknown, known)}`, operation);
}

/** Throws unless the value is one of the allowed ones, which the message lists. */
export function requireOneOf(name: string, value: unknown, allowed: readonly string[], operation?: string): void {
  if (typeof value === "string" && allowed.includes(value)) return;
  const hint = typeof value === "string" ? nearestOf(value, allowed) : undefined;
  const meant = hint === undefined ? "" : ` Did you mean ${hint}?`;
  throw new ConfigurationError(`${name} must be one of ${allowed.join(", ")}.${meant}`, operation);
}

function suggestionFor(name: string, known: readonly string[]): string {
  const nearest = nearestOf(name, known);
  return nearest === undefined ? ` Known: ${known.join(", ")}.` : ` Did you mean \`${nearest}\`?`;
}

/** Longer strings are compared by their beginning. */
const LONGEST = 40;

/** The most similar name, if it is similar enough to be meant. */
function nearestOf(name: string, names: readonly string[]): string | undefined {
  const start = (text: string) => text.slice(0, LONGEST).toLowerCase();
  const distances = names.map((known) => ({ known, distance: distanceOf(start(name), start(known)) }));
  const [nearest] = distances.sort((one, other) => one.distance - other.distance);
  return nearest !== undefined && nearest.distance < 0.45 ? nearest.known : undefined;
}

/** Levenshtein's distance by letter; 0 if one contains the other, as `timeout` and `timeoutMs`. */
function distanceOf(one: string, other: string): number {
  if (one.length > 2 && (other.includes(one) || one.includes(other))) return 0;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, cost] of row.slice(0, -1).entries()) {
      next.push(Math.min(cost + (letter === other[to] ? 0 : 1), (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(one.length, other.length);
}
