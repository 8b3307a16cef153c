import type { AdmissionLimits } from "../platform/load/admission.ts";
import type { TimeLimits } from "../platform/load/fairShare.ts";
import type { Settings } from "./settings.ts";

/** The limit of one application: up to a third of a core. */
const RESPONSES: TimeLimits = { msPerSecond: 300, burstMs: 75, leastMs: 0.75 };
/**
 * The limit of one network's requests of a kind, of callers without a proven key: there are several kinds. A request that asks the
 * database costs the whole machine about 2 ms.
 */
const NETWORK: TimeLimits = { ...RESPONSES, msPerSecond: 75 };
const DATABASE_REQUESTS: TimeLimits = { ...NETWORK, leastMs: 2 };

/**
 * Callers without a proven key, in all: 100 requests a second, and 50 while the process is late. A proxy and the database work
 * for each too. The slots bound memory only: a request that waits for a provider or for its own body uses no time.
 */
const STRANGERS: AdmissionLimits = { slots: 2_000, slotsOfOwner: 64, starts: 2, startsWhenLate: 1 };

/**
 * The limits of a process. A call uses a connection for most of its time, so more calls than connections would only wait
 * for each other. docs/explanation/fairness.md has the arithmetic.
 */
export function callLimits({
  readPoolSize,
  databasePoolSize,
  databaseDirectUrl,
}: Pick<Settings, "readPoolSize" | "databasePoolSize" | "databaseDirectUrl">) {
  // Frequent reads share a few more connections, except behind a pooler, which shares connections itself.
  const queries = databaseDirectUrl === null ? 2 * readPoolSize : readPoolSize;
  const half = part(databasePoolSize, 0.5);
  const query = { slots: queries, share: part(readPoolSize, 0.2), shareAlone: part(queries, 0.8) };
  const mutation = { slots: databasePoolSize, share: part(databasePoolSize, 0.2), shareAlone: half };
  // Two concurrent calls use all of the one thread, and one about half of it.
  const shareInAll = part(Math.max(query.share, mutation.share), 0.5);
  // Admins use the connections of mutations and must not take them all. They are few, and not limited further.
  const admin = { slots: half, share: half, shareAlone: half };
  return {
    applications: { lanes: { query, mutation }, shareInAll },
    admins: { lanes: { admin }, shareInAll: half },
    responses: RESPONSES,
    network: { pages: NETWORK, databaseRequests: DATABASE_REQUESTS },
    strangers: STRANGERS,
  };
}

function part(slots: number, share: number): number {
  return Math.max(1, Math.floor(slots * share));
}
