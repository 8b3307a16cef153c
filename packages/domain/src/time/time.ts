/**
 * The only comparisons of moments in this package, so that a boundary is decided once:
 * - a deadline has passed from the very millisecond it names (`hasPassed`): "until", "under", "younger than"
 * - something is older than an age only when it is strictly older (`isOlderThan`): "more than … ago"
 */

/** True from the moment `deadline` itself on. */
export function hasPassed(deadline: Date, now: Date): boolean {
  return now.getTime() >= deadline.getTime();
}

/** True when `moment` lies more than `ageMs` milliseconds before `now`; at exactly that age it is not. */
export function isOlderThan(moment: Date, ageMs: number, now: Date): boolean {
  return now.getTime() - moment.getTime() > ageMs;
}

/** The moment `durationMs` milliseconds after `moment` (before it, when negative). */
export function addMs(moment: Date, durationMs: number): Date {
  return new Date(moment.getTime() + durationMs);
}

export function isSameMoment(a: Date, b: Date): boolean {
  return a.getTime() === b.getTime();
}

/** Whole seconds, rounded up, until `moment`; at least 1, so that a caller who obeys it never spins. */
export function retryAfterSecondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1_000));
}
