import { isWritable, parseDateTime, timeOf } from "@social-connect/domain";
import { MockMisuseError, shown } from "./misuse.ts";

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/gy;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;

/** Milliseconds, or a string of numbers with units: `500ms`, `30s`, `10m`, `24h`, `7d`, `1h30m`. */
export type Duration = number | string;

/** The mock runs its hourly work for each hour, so a longer time would take too long. */
const MAX_MS = 100 * 366 * UNITS.d;

/** A duration in milliseconds, from 0 to a hundred years. Throws a MockMisuseError otherwise. */
export function durationMs(duration: Duration): number {
  const isText = typeof duration === "string";
  const ms = isText ? readDuration(duration) : duration;
  if (Number.isFinite(ms) && ms >= 0 && ms <= MAX_MS) return Math.round(ms);
  throw new MockMisuseError(
    `${isText ? shown(duration) : String(duration)} is not a duration. Pass milliseconds, 0 or more, or a string with units: 500ms, 30s, 10m, 24h, 7d, or 1h30m; at most a hundred years.`,
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
 * A time as a test passes it: a Date, milliseconds since 1970, or an ISO 8601 string with an offset, or a date, which means
 * midnight in UTC. Throws a MockMisuseError otherwise.
 */
export function timeMs(time: Date | string | number): number {
  const date = typeof time === "string" ? (parseDateTime(time) ?? parseDateTime(`${time}T00:00:00Z`)) : time;
  const ms = typeof date === "number" ? Math.round(date) : timeOf(date);
  if (isWritable(new Date(ms))) return ms;
  throw new MockMisuseError(
    `${typeof time === "string" ? shown(time) : String(time)} is not a time. Pass a Date, or a string such as 2026-01-31T08:00:00.000Z or 2026-01-31.`,
  );
}
