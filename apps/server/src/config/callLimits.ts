import type { FairLimits } from "../platform/fairLimiter.ts";
import type { Settings } from "./settings.ts";

type LimitSettings = Pick<
  Settings,
  "readPoolSize" | "databasePoolSize" | "callSharePercent" | "callShareAlonePercent" | "callQueueLength" | "callQueueMs"
>;

/**
 * The limits of the calls in progress, from the sizes of the pools: a call uses a connection for most of its time, so more
 * calls than connections would only wait for each other. docs/explanation/fairness.md has the arithmetic.
 */
export function callLimits(settings: LimitSettings): Readonly<Record<"query" | "mutation" | "admin", FairLimits>> {
  const { databasePoolSize, readPoolSize, callQueueLength: queueLength, callQueueMs: queueMs } = settings;
  const limitsOf = (slots: number, sharePercent: number): FairLimits => {
    const share = part(slots, sharePercent);
    const shareAlone = Math.max(share, part(slots, settings.callShareAlonePercent));
    return { slots, share, shareAlone, operationSlots: part(slots, 50), queueLength, queueMs };
  };
  const query = limitsOf(readPoolSize, settings.callSharePercent);
  // Mutations mostly wait for the database, often for each other, so they delay other calls less than queries do.
  const mutation = limitsOf(databasePoolSize, settings.callShareAlonePercent);
  // Admins use the connections of mutations and must not take them all. They are few, and not limited further.
  const slots = part(databasePoolSize, 50);
  const admin = { slots, share: slots, shareAlone: slots, operationSlots: slots, queueLength, queueMs };
  return { query, mutation, admin };
}

function part(slots: number, percent: number): number {
  return Math.max(1, Math.floor((slots * percent) / 100));
}
