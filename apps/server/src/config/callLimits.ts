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
  const { callQueueLength: queueLength, callQueueMs: queueMs } = settings;
  const limitsOf = (slots: number, sharePercent = settings.callSharePercent): FairLimits => {
    const part = (percent: number) => Math.max(1, Math.floor((slots * percent) / 100));
    const share = part(sharePercent);
    return { slots, share, shareAlone: Math.max(share, part(settings.callShareAlonePercent)), queueLength, queueMs };
  };
  return {
    query: limitsOf(settings.readPoolSize),
    mutation: limitsOf(settings.databasePoolSize),
    // Admins use the connections of mutations and must not take them all. They are few, so their share does not shrink.
    admin: limitsOf(Math.max(1, Math.floor(settings.databasePoolSize / 2)), settings.callShareAlonePercent),
  };
}
