/** Counts of one minute. Minutes without counts may be absent. */
export interface MinuteCount {
  readonly at: Date;
  readonly failed: number;
  /** What shows that it works again. */
  readonly succeeded: number;
  readonly total: number;
}

/** When a rate is an incident. It is measured over the last minutes. */
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
 * The times at which a rate was too high, oldest first. A time without calls begins and ends nothing. One begins with the first
 * failure of a window that exceeds the rule; failures since the last success exceed it too, however long ago they began. It ends
 * with the first success after its last failure: when the rate has halved, when a window has passed without a failure, or, if most
 * calls failed, when so many succeeded that some would have failed. `known` is the latest one that was found before, whose counts
 * may no longer be stored: it continues if it has not ended. If the clock was set back to before it began, what is counted after the
 * minute in which that was seen can end it.
 */
export function findSpells(
  counts: readonly MinuteCount[],
  rule: RateRule,
  now: Date,
  known: Spell | null = null,
): Spell[] {
  let open = known?.endedAt === null ? reopen(known, now) : null;
  let from = Number.NEGATIVE_INFINITY;
  if (open !== null) from = Math.min(open.begun, open.last + 1);
  else if (known?.endedAt) from = minuteOf(known.endedAt);
  const minutes = new Map(counts.map((count) => [minuteOf(count.at), count]));
  const first = Math.max(from, Math.min(...minutes.keys()));
  const spells: Spell[] = [];
  let run: Run | null = null;
  for (let minute = first; minute <= minuteOf(now); minute += 1) {
    const count = minutes.get(minute);
    const window = windowAt(minutes, Math.max(from, minute - rule.windowMinutes + 1), minute);
    run = continueRun(run, count, minute);
    if (open === null) {
      open = beginSpell(minutes, minute, [window, run], rule);
      continue;
    }
    continueSpell(open, count, minute);
    if (hasEnded(open, window, minute, rule)) {
      from = open.endsAt ?? open.last + 1;
      spells.push(spellOf(open, timeOf(from), now));
      [open, run] = [null, null];
    }
  }
  return open === null ? spells : [...spells, spellOf(open, null, now)];
}

interface Open {
  readonly begun: number;
  /** As it was found before, when it continued after this minute. */
  readonly known: Spell | null;
  readonly continuesAfter: number;
  /** The minute of the last failure, and the counts until then. */
  last: number;
  failed: number;
  total: number;
  /** Calls and successes since the last failure, and the minute of the first success. */
  since: number;
  succeeded: number;
  endsAt: number | null;
}

interface Sum {
  /** The minute of the first failure; null without one. */
  begun: number | null;
  failed: number;
  succeeded: number;
  total: number;
}
/** From the first failure since the last success. */
type Run = Sum;

const NOTHING: Readonly<Sum> = { begun: null, failed: 0, succeeded: 0, total: 0 };

function windowAt(minutes: ReadonlyMap<number, MinuteCount>, first: number, last: number): Sum {
  const sum = { ...NOTHING };
  for (let minute = first; minute <= last; minute += 1) add(sum, minutes.get(minute), minute);
  return sum;
}

function add(sum: Sum, count: MinuteCount | undefined, minute: number): void {
  if (count === undefined) return;
  if (count.failed > 0) sum.begun ??= minute;
  sum.failed += count.failed;
  sum.succeeded += count.succeeded;
  sum.total += count.total;
}

/** A success ends it, and in the same minute another may begin. */
function continueRun(run: Run | null, count: MinuteCount | undefined, minute: number): Run | null {
  const before = count !== undefined && count.succeeded > 0 ? null : run;
  if (before === null && !count?.failed) return null;
  const continued = before ?? { ...NOTHING };
  add(continued, count, minute);
  return continued;
}

function exceeds({ failed, total }: Sum, { leastTotal, leastFailed, rate }: RateRule): boolean {
  return total >= leastTotal && failed >= leastFailed && failed >= rate * total;
}

/** Begins with the first failure of what exceeds the rule; null if nothing does. */
function beginSpell(
  minutes: ReadonlyMap<number, MinuteCount>,
  last: number,
  [window, run]: readonly [Sum, Run | null],
  rule: RateRule,
): Open | null {
  const exceeding = [window, run].flatMap((sum) => (sum !== null && exceeds(sum, rule) ? [sum] : []));
  if (exceeding.length === 0) return null;
  const begun = Math.min(...exceeding.map((sum) => sum.begun ?? last));
  const open: Open = { ...EMPTY, begun, last: begun, known: null, continuesAfter: begun };
  for (let minute = begun; minute <= last; minute += 1) continueSpell(open, minutes.get(minute), minute);
  return open;
}

const EMPTY = { failed: 0, total: 0, since: 0, succeeded: 0, endsAt: null } as const;

function reopen(known: Spell, now: Date): Open {
  const last = minuteOf(new Date(Math.min(known.lastSeenAt.getTime(), now.getTime()) - 1));
  return { ...EMPTY, begun: minuteOf(known.begunAt), last, known, continuesAfter: last };
}

function continueSpell(open: Open, count: MinuteCount | undefined, minute: number): void {
  if (count === undefined) return;
  open.since += count.total;
  open.succeeded += count.succeeded;
  if (count.succeeded > 0) open.endsAt ??= minute;
  if (count.failed === 0) return;
  open.last = Math.max(open.last, minute);
  open.failed += count.failed;
  open.total += open.since;
  Object.assign(open, { since: 0, succeeded: 0, endsAt: null });
}

function hasEnded(open: Open, window: Sum, minute: number, rule: RateRule): boolean {
  if (minute <= open.continuesAfter) return false;
  // Some may still fail.
  const isRare = window.total >= rule.leastTotal && window.failed < rule.rate * HALF * window.total;
  if (isRare && window.succeeded > 0) return true;
  if (open.endsAt === null) return false;
  const { failed, total } = numbersOf(open);
  const isOver = failed >= HALF * total && open.succeeded * failed >= rule.leastFailed * total;
  return isOver || minute - open.last >= rule.windowMinutes;
}

/** What was counted before, once its first counts are no longer stored. */
function numbersOf({ failed, total, known }: Open): Pick<Spell, "failed" | "total"> {
  return known !== null && known.failed > failed ? known : { failed, total };
}

function spellOf(open: Open, endedAt: Date | null, now: Date): Spell {
  const { failed, total } = numbersOf(open);
  const seenUntil = timeOf(open.last + 1);
  return { begunAt: timeOf(open.begun), lastSeenAt: seenUntil < now ? seenUntil : now, endedAt, failed, total };
}

export function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / MINUTE_MS);
}

function timeOf(minute: number): Date {
  return new Date(minute * MINUTE_MS);
}
