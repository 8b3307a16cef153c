import { isWritable, parseDateTime } from "@social-connect/domain";
import { MockMisuseError } from "./misuse.ts";

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/gy;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;

/** So much time: milliseconds, or text of numbers with units such as `500ms`, `30s`, `10m`, `24h`, `7d`, `1h30m`. */
export type Duration = number | string;

/** What a mock does by the hour it does for each hour that passes: more than this would take a while, and tell no test anything. */
const LONGEST_MS = 100 * 366 * UNITS.d;

/** The milliseconds of a duration, from none to a hundred years. Throws a MockMisuseError that says how to write one. */
export function durationMs(duration: Duration): number {
  const isText = typeof duration === "string";
  const ms = isText ? readDuration(duration) : duration;
  if (Number.isFinite(ms) && ms >= 0 && ms <= LONGEST_MS) return Math.round(ms);
  throw new MockMisuseError(
    `${isText ? JSON.stringify(duration) : String(duration)} is no duration. Pass milliseconds, 0 or more, or write numbers with units: 500ms, 30s, 10m, 24h, 7d, or 1h30m; a hundred years at the most.`,
  );
}

function readDuration(text: string): number {
  if (!WHOLE.test(text)) return Number.NaN;
  let total = 0;
  for (const [, amount = "0", unit = "ms"] of text.matchAll(PART)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return total;
}

/**
 * A moment as a test writes it: a Date, milliseconds since 1970, or ISO 8601 text with its offset or of a day alone, so that
 * it is the same one on every machine. Throws a MockMisuseError otherwise.
 */
export function momentMs(moment: Date | string | number): number {
  const date = typeof moment === "string" ? (parseDateTime(moment) ?? parseDateTime(`${moment}T00:00:00Z`)) : moment;
  const ms = date instanceof Date ? date.getTime() : typeof date === "number" ? Math.round(date) : Number.NaN;
  if (isWritable(new Date(ms))) return ms;
  throw new MockMisuseError(
    `${typeof moment === "string" ? JSON.stringify(moment) : String(moment)} is no moment. Pass a Date, or text such as 2026-01-31T08:00:00.000Z or 2026-01-31.`,
  );
}
