import type { Settings } from "../state/settings.ts";
import type { MockState } from "../state/state.ts";
import { MockMisuseError } from "../util/misuse.ts";

const FORMAT = "social-connect-mocks/1";

/** The whole state as text. Equal states give equal texts, so two runs can be compared byte by byte. */
export function writeSnapshot(state: MockState, clock: Settings["clock"]): string {
  return JSON.stringify({ format: FORMAT, clock, state: encode(state) });
}

/** The state that a snapshot was made of, with the parts that `like` has. Throws a MockMisuseError for a text that is none of this version. */
export function readSnapshot(text: string, like: MockState, clock: Settings["clock"]): MockState {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = null;
  }
  const { format, state, clock: itsClock } = (parsed ?? {}) as { format?: unknown; state?: unknown; clock?: unknown };
  const decoded = decode(state);
  if (format !== FORMAT || kindsIn(decoded) !== kindsIn(like)) {
    throw new MockMisuseError("This is no snapshot of this version of the mock: take one with snapshot().");
  }
  if (itsClock !== clock) {
    throw new MockMisuseError("A clock that stands still and the machine's cannot go on from each other's snapshots.");
  }
  return decoded as MockState;
}

/** Each part of a state by its name, with what it is. */
function kindsIn(state: unknown): string {
  const parts = Object.entries(state ?? {}).map(([name, part]) => `${name}: ${Object.prototype.toString.call(part)}`);
  return parts.sort().join();
}

function encode(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof Map) return { $map: [...value].map(([key, entry]) => [key, encode(entry)]) };
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]): [string, unknown] => [key, encode(entry)]);
  // What callers send is remembered too, and could look like one of the above.
  return entries.some(([key]) => key.startsWith("$")) ? { $record: entries } : Object.fromEntries(entries);
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  if ("$date" in value && typeof value.$date === "number") return new Date(value.$date);
  if ("$map" in value && Array.isArray(value.$map)) {
    return new Map((value.$map as [string, unknown][]).map(([key, entry]) => [key, decode(entry)]));
  }
  const entries =
    "$record" in value && Array.isArray(value.$record) ? (value.$record as [string, unknown][]) : Object.entries(value);
  return Object.fromEntries(entries.map(([key, entry]) => [key, decode(entry)]));
}
