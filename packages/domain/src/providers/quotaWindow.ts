import type { ProviderQuota } from "./providerTraits.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** At midnight UTC, every clock of the Pacific time zone shows an earlier time than this. */
const PACIFIC_MIDNIGHT_AT_LATEST_MS = 8 * HOUR;

export interface QuotaWindow {
  readonly start: Date;
  readonly endsAt: Date;
}

const pacific = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  hourCycle: "h23",
});

/** The window that contains `now`. A day in the Pacific time zone has 23 or 25 hours twice a year. */
export function quotaWindow(kind: ProviderQuota["window"], now: Date): QuotaWindow {
  if (kind === "pacific-day") {
    const { year, month, day } = pacificParts(now);
    return { start: pacificMidnight(year, month, day), endsAt: pacificMidnight(year, month, day + 1) };
  }
  const lengthMs = kind === "minute" ? MINUTE : DAY;
  const start = Math.floor(now.getTime() / lengthMs) * lengthMs;
  return { start: new Date(start), endsAt: new Date(start + lengthMs) };
}

/** Midnight of that day there. Clocks are changed at two in the morning, so each day has one midnight. */
function pacificMidnight(year: number, month: number, day: number): Date {
  const inWinter = new Date(Date.UTC(year, month - 1, day) + PACIFIC_MIDNIGHT_AT_LATEST_MS);
  return new Date(inWinter.getTime() - pacificParts(inWinter).hour * HOUR);
}

function pacificParts(at: Date): { year: number; month: number; day: number; hour: number } {
  const parts = new Map(pacific.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? Number.NaN;
  return { year: part("year"), month: part("month"), day: part("day"), hour: part("hour") };
}
