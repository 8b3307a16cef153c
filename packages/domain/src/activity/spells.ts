/** Counts of one minute. Minutes without counts may be absent. */
export interface MinuteCount {
  readonly at: Date;
  readonly failed: number;
  readonly total: number;
}

/** When a rate is an incident. It is measured over the last minutes, and ends at half of the rate. */
export interface RateRule {
  readonly windowMinutes: number;
  /** Below this number of calls or failures in the window, chance decides the rate. */
  readonly leastTotal: number;
  readonly leastFailed: number;
  readonly rate: number;
}

export interface Spell {
  readonly begunAt: Date;
  readonly lastSeenAt: Date;
  readonly endedAt: Date | null;
  readonly failed: number;
  readonly total: number;
}

const MINUTE_MS = 60_000;
const HALF = 0.5;

/**
 * The times at which a rate was too high, oldest first. One begins with the first failure of a window that exceeds the rule, and
 * ends when the rate has halved, or when a window has passed without a failure. It ended then with its last failure.
 */
export function findSpells(counts: readonly MinuteCount[], rule: RateRule, now: Date): Spell[] {
  const minutes = new Map(counts.map((count) => [minuteOf(count.at), count]));
  const [first] = [...minutes.keys()].toSorted((left, right) => left - right);
  const spells: Spell[] = [];
  if (first === undefined) return spells;
  let open: Open | null = null;
  for (let minute = first; minute <= minuteOf(now); minute += 1) {
    const window = windowAt(minutes, minute, rule);
    if (open === null) {
      if (exceeds(window, rule, rule.rate)) open = beginSpell(minutes, minute, rule);
      continue;
    }
    continueSpell(open, minutes.get(minute), minute);
    if (hasEnded(open, window, minute, rule)) {
      spells.push(spellOf(open, timeOf(open.last + 1), now));
      open = null;
    }
  }
  return open === null ? spells : [...spells, spellOf(open, null, now)];
}

interface Open {
  readonly begun: number;
  /** The minute of the last failure, and the counts until then. */
  last: number;
  failed: number;
  total: number;
  /** Calls since the last failure. */
  since: number;
}

type Sum = Pick<MinuteCount, "failed" | "total">;

function windowAt(minutes: ReadonlyMap<number, MinuteCount>, last: number, { windowMinutes }: RateRule): Sum {
  const sum = { failed: 0, total: 0 };
  for (let minute = last - windowMinutes + 1; minute <= last; minute += 1) {
    sum.failed += minutes.get(minute)?.failed ?? 0;
    sum.total += minutes.get(minute)?.total ?? 0;
  }
  return sum;
}

function exceeds({ failed, total }: Sum, { leastTotal, leastFailed }: RateRule, rate: number): boolean {
  return total >= leastTotal && failed >= leastFailed && failed >= rate * total;
}

function beginSpell(minutes: ReadonlyMap<number, MinuteCount>, last: number, { windowMinutes }: RateRule): Open {
  let minute = last - windowMinutes + 1;
  while ((minutes.get(minute)?.failed ?? 0) === 0) minute += 1;
  const open: Open = { begun: minute, last: minute, failed: 0, total: 0, since: 0 };
  for (; minute <= last; minute += 1) continueSpell(open, minutes.get(minute), minute);
  return open;
}

function continueSpell(open: Open, count: Sum | undefined, minute: number): void {
  if (count === undefined) return;
  open.since += count.total;
  if (count.failed === 0) return;
  open.last = minute;
  open.failed += count.failed;
  open.total += open.since;
  open.since = 0;
}

function hasEnded(open: Open, window: Sum, minute: number, rule: RateRule): boolean {
  if (minute - open.last >= rule.windowMinutes) return true;
  return window.total >= rule.leastTotal && window.failed < rule.rate * HALF * window.total;
}

function spellOf({ begun, last, failed, total }: Open, endedAt: Date | null, now: Date): Spell {
  const seenUntil = timeOf(last + 1);
  return { begunAt: timeOf(begun), lastSeenAt: seenUntil < now ? seenUntil : now, endedAt, failed, total };
}

export function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / MINUTE_MS);
}

function timeOf(minute: number): Date {
  return new Date(minute * MINUTE_MS);
}
