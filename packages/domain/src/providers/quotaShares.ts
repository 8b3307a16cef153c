import { addMs } from "../time/time.ts";
import type { QuotaWindow } from "./quotaWindow.ts";

/** A tenth of the unused units is never lent, so that an application that asks late still finds some. */
const RESERVE_DIVISOR = 10;

/** What was used of a budget that applications share, as one of them sees it that asks for a unit. */
export interface SharedBudget {
  /** Units that the asking application may find used before it waits; less for background reads. */
  readonly limit: number;
  /** Units used by all. */
  readonly total: number;
  /** Units used by the asking application. */
  readonly own: number;
  /** Units used by each other application that took one in this window. */
  readonly others: readonly number[];
  /** Whether the registration serves enabled applications that took none in this window. */
  readonly newcomers: boolean;
}

/** The share of each of `applications` that take units in a window. Newcomers together keep one share. */
export function quotaShare(limit: number, applications: number, newcomers: boolean): number {
  return Math.floor(limit / Math.max(1, applications + (newcomers ? 1 : 0)));
}

/**
 * Whether the asking application may take a unit: below its share always, and beyond it while the other shares' unused
 * units stay free. The later in the window, the fewer of them are reserved.
 */
export function mayTakeUnit(budget: SharedBudget, window: QuotaWindow, now: Date): boolean {
  const { limit, total, own } = budget;
  if (total >= limit) return false;
  if (own < shareOf(budget)) return true;
  return total + keptUnits(unusedByOthers(budget), window, now) < limit;
}

/** When the asking application may take its next unit if no application takes one before; at the latest the window's end. */
export function unitFreeAt(budget: SharedBudget, window: QuotaWindow, now: Date): Date {
  if (mayTakeUnit(budget, window, now)) return now;
  const unused = unusedByOthers(budget);
  const keptAfter = budget.limit - budget.total - 1;
  if (keptAfter < leastKept(unused)) return window.endsAt;
  return addMs(window.endsAt, -Math.floor((keptAfter * lengthOf(window)) / unused));
}

function shareOf({ limit, others, newcomers }: SharedBudget): number {
  return quotaShare(limit, others.length + 1, newcomers);
}

function unusedByOthers(budget: SharedBudget): number {
  const share = shareOf(budget);
  const ofOthers = budget.others.reduce((sum, used) => sum + Math.max(0, share - used), 0);
  return ofOthers + (budget.newcomers ? share : 0);
}

/** The unused units that are not lent: the part of the window that remains, in whole units, or a tiny share would lend all. */
function keptUnits(unused: number, window: QuotaWindow, now: Date): number {
  const remainingMs = window.endsAt.getTime() - now.getTime();
  return Math.max(leastKept(unused), Math.ceil((unused * remainingMs) / lengthOf(window)));
}

function leastKept(unused: number): number {
  return Math.ceil(unused / RESERVE_DIVISOR);
}

function lengthOf({ start, endsAt }: QuotaWindow): number {
  return endsAt.getTime() - start.getTime();
}
