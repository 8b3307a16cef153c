/**
 * The only comparisons of times in this package, so that a boundary is decided once:
 * - a deadline has passed from the very millisecond it names (`hasPassed`): "until", "under", "younger than"
 * - something is older than an age only when it is strictly older (`isOlderThan`): "more than … ago"
 */

/** True from `deadline` itself on. */
export function hasPassed(deadline: Date, now: Date): boolean {
  return now.getTime() >= deadline.getTime();
}

/** True when `moment` is more than `ageMs` milliseconds before `now`; at exactly that age it is not. */
export function isOlderThan(moment: Date, ageMs: number, now: Date): boolean {
  return now.getTime() - moment.getTime() > ageMs;
}

/** The time `durationMs` milliseconds after `moment` (before it, when negative). */
export function addMs(moment: Date, durationMs: number): Date {
  return new Date(moment.getTime() + durationMs);
}

const UNITS = [
  { name: "day", ms: 24 * 60 * 60_000, least: 2 },
  { name: "hour", ms: 60 * 60_000, least: 1 },
  { name: "minute", ms: 60_000, least: 1 },
  { name: "second", ms: 1_000, least: 0 },
];

export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1));
}

/** A limit as people write it, for descriptions and messages: "30 days", "24 hours", "1 minute". */
export function durationText(durationMs: number): string {
  const unit = UNITS.find(({ ms, least }) => durationMs % ms === 0 && durationMs / ms >= least);
  if (unit === undefined) return `${durationMs} milliseconds`;
  const count = durationMs / unit.ms;
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}

export function isSameMoment(a: Date, b: Date): boolean {
  return a.getTime() === b.getTime();
}

/** Whole seconds, rounded up, until `moment`; at least 1, so that a caller who obeys it never spins. */
export function retryAfterSecondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1_000));
}
