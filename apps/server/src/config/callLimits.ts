import type { FairLimits } from "../platform/fairLimiter.ts";
import type { Settings } from "./settings.ts";

type LimitSettings = Pick<
  Settings,
  | "readPoolSize"
  | "databasePoolSize"
  | "databaseDirectUrl"
  | "callSharePercent"
  | "callShareAlonePercent"
  | "callQueueLength"
  | "callQueueMs"
>;

/**
 * The limits of the calls in progress, from the sizes of the pools: a call uses a connection for most of its time, so more
 * calls than connections would only wait for each other. docs/explanation/fairness.md has the arithmetic.
 */
export function callLimits(
  settings: LimitSettings,
  frequentReads: ReadonlySet<string>,
): Readonly<Record<"query" | "mutation" | "admin", FairLimits>> {
  const { databasePoolSize, callQueueLength: queueLength, callQueueMs: queueMs } = settings;
  const half = part(databasePoolSize, 50);
  const shareAlone = Math.min(half, part(databasePoolSize, settings.callShareAlonePercent));
  const share = Math.min(shareAlone, part(databasePoolSize, settings.callSharePercent));
  const ofQueries = queryLimits(settings, frequentReads);
  // Two concurrent calls use all of the one thread, and one about half of it.
  const shareInAll = part(Math.max(share, ofQueries.share), 50);
  const queue = { queueLength, queueMs };
  const mutation = { slots: databasePoolSize, share, shareInAll, shareAlone, operationSlots: half, ...queue };
  // Admins use the connections of mutations and must not take them all. They are few, and not limited further.
  const admin = { slots: half, share: half, shareInAll: half, shareAlone: half, operationSlots: half, ...queue };
  return { query: { ...ofQueries, shareInAll, ...queue }, mutation, admin };
}

/**
 * Frequent reads share a few connections besides the pool, so the process runs twice as many queries as the pool has
 * connections. A pooler shares connections itself: then each read holds one of the pool.
 */
function queryLimits(
  settings: LimitSettings,
  frequentReads: ReadonlySet<string>,
): Omit<FairLimits, "shareInAll" | "queueLength" | "queueMs"> {
  const { readPoolSize, databaseDirectUrl, callSharePercent, callShareAlonePercent } = settings;
  const isPooled = databaseDirectUrl !== null;
  const slots = isPooled ? readPoolSize : 2 * readPoolSize;
  const share = part(readPoolSize, callSharePercent);
  const shareAlone = Math.max(share, part(slots, callShareAlonePercent));
  const limits = { slots, share, shareAlone, operationSlots: part(readPoolSize, 50) };
  return isPooled
    ? limits
    : { ...limits, sharing: { operations: frequentReads, operationSlots: part(slots, FREQUENT_READ_PERCENT) } };
}

/** The rest is left to other operations while one is blocked. */
const FREQUENT_READ_PERCENT = 80;

function part(slots: number, percent: number): number {
  return Math.max(1, Math.floor((slots * percent) / 100));
}
