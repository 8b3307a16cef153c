const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/g;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;

/** So much time: milliseconds, or text of numbers with units such as `500ms`, `30s`, `10m`, `24h`, `7d`, `1h30m`. */
export type Duration = number | string;

/** The milliseconds of a duration. Throws a RangeError that says how to write one. */
export function durationMs(duration: Duration): number {
  if (typeof duration === "number") {
    if (Number.isFinite(duration) && duration >= 0) return duration;
    throw new RangeError(`${duration} is no duration: milliseconds are 0 or more.`);
  }
  if (!WHOLE.test(duration)) {
    throw new RangeError(`"${duration}" is no duration. Write numbers with units: 500ms, 30s, 10m, 24h, 7d, or 1h30m.`);
  }
  let total = 0;
  for (const [, amount = "0", unit = "ms"] of duration.matchAll(PART)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return Math.round(total);
}

/** A moment as a test writes it: a Date, ISO 8601 text, or milliseconds since 1970. Throws a RangeError otherwise. */
export function momentMs(moment: Date | string | number): number {
  const ms = moment instanceof Date ? moment.getTime() : typeof moment === "number" ? moment : Date.parse(moment);
  if (Number.isFinite(ms)) return ms;
  throw new RangeError(`"${String(moment)}" is no moment. Pass a Date, or text such as 2026-01-31T08:00:00.000Z.`);
}
