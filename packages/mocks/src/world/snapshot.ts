import { timeOf } from "@social-connect/domain";
import { parseJson } from "@social-connect/transport";
import type { ClockKind } from "../state/settings.ts";
import type { MockState } from "../state/state.ts";
import { MockMisuseError } from "../util/misuse.ts";

const FORMAT = "social-connect-mocks/1";

/** Serializes the state. Equal states have equal snapshots, so two runs can be compared byte by byte. */
export function writeSnapshot(state: MockState, clock: ClockKind): string {
  return JSON.stringify({ format: FORMAT, clock, state: encode(state) });
}

/** Restores a state with the shape of `like`. Throws a MockMisuseError for a snapshot of another version. */
export function readSnapshot(text: string, like: MockState, clock: ClockKind): MockState {
  const snapshot = (parseJson(text) ?? {}) as Partial<Record<"format" | "state" | "clock", unknown>>;
  const decoded = decode(snapshot.state);
  if (snapshot.format !== FORMAT || kindsIn(decoded) !== kindsIn(like)) {
    throw new MockMisuseError("This is not a snapshot of this version of the mock. Use the result of snapshot().");
  }
  if (snapshot.clock !== clock) {
    throw new MockMisuseError(
      `The clock of this mock is ${clock}, and the clock of the snapshot is ${String(snapshot.clock)}. Both must be the same.`,
    );
  }
  return decoded as MockState;
}

function kindsIn(state: unknown): string {
  const parts = Object.entries(state ?? {}).map(([name, part]) => `${name}: ${Object.prototype.toString.call(part)}`);
  return parts.sort().join();
}

function encode(value: unknown): unknown {
  if (!Number.isNaN(timeOf(value))) return { $date: timeOf(value) };
  if (isMap(value)) return { $map: [...value].map(([key, entry]) => [key, encode(entry)]) };
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]): [string, unknown] => [key, encode(entry)]);
  // Recorded arguments of callers may have the same shape as the encodings above.
  return entries.some(([key]) => key.startsWith("$")) ? { $record: entries } : Object.fromEntries(entries);
}

/** A Map of any realm. */
function isMap(value: unknown): value is Map<unknown, unknown> {
  return Object.prototype.toString.call(value) === "[object Map]";
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
