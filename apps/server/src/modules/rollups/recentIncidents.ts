import {
  addMs,
  findQuotaIncidents,
  findRateIncidents,
  type Incident,
  type QuotaMinute,
  type ServiceCount,
} from "@social-connect/domain";
import type { Pool } from "pg";
import { offTrail } from "../../platform/call/trail.ts";
import { readMinutes, readQuotaMinutes } from "./store.ts";

/** How far back incidents are found. */
export const HISTORY_MS = 24 * 3_600_000;
/** Processes store their counts every ten seconds, so a newer result would rarely differ. */
const FRESH_MS = 10_000;
/** After this time all of the history is read again, for minutes that a process stored late, such as after an outage. */
const COMPLETE_EVERY_MS = 10 * 60_000;
/** Reads in between begin this long ago. A connect attempt is counted up to 13 minutes after the minute in which it began. */
const REREAD_MS = COMPLETE_EVERY_MS + 20 * 60_000;

/** The history of a kind of minutes. */
class RecentMinutes<Minute extends { readonly at: Date }> {
  readonly #read: (from: Date) => Promise<Minute[]>;
  #minutes: readonly Minute[] = [];
  #completeAt: Date | null = null;

  constructor(read: (from: Date) => Promise<Minute[]>) {
    this.#read = read;
  }

  async upTo(now: Date): Promise<readonly Minute[]> {
    const first = addMs(now, -HISTORY_MS);
    const isComplete = !isWithin(this.#completeAt, COMPLETE_EVERY_MS, now);
    const from = isComplete ? first : addMs(now, -REREAD_MS);
    const read = await this.#read(from);
    this.#minutes = isComplete ? read : [...this.#minutes.filter(({ at }) => at >= first && at < from), ...read];
    if (isComplete) this.#completeAt = now;
    return this.#minutes;
  }
}

/** Incidents of rates and quotas, in no order. However often they are read, the minutes are read once in ten seconds. */
class RecentIncidents {
  readonly #minutes: RecentMinutes<ServiceCount>;
  readonly #quotas: RecentMinutes<QuotaMinute>;
  #found: readonly Incident[] = [];
  #foundAt: Date | null = null;
  #running: Promise<readonly Incident[]> | null = null;

  constructor(pool: Pool) {
    this.#minutes = new RecentMinutes((from) => readMinutes(pool, from));
    this.#quotas = new RecentMinutes((from) => readQuotaMinutes(pool, from));
  }

  upTo(now: Date): Promise<readonly Incident[]> {
    if (this.#running !== null) return this.#running;
    if (isWithin(this.#foundAt, FRESH_MS, now)) return Promise.resolve(this.#found);
    // For all who ask, also if the first one leaves.
    this.#running = offTrail(() => this.#find(now)).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #find(now: Date): Promise<readonly Incident[]> {
    const [minutes, quotas] = await Promise.all([this.#minutes.upTo(now), this.#quotas.upTo(now)]);
    this.#found = [...findRateIncidents(minutes, now), ...findQuotaIncidents(quotas, now)];
    this.#foundAt = now;
    return this.#found;
  }
}

/** A clock that was set back makes everything stale. */
function isWithin(at: Date | null, ms: number, now: Date): boolean {
  return at !== null && at <= now && now.getTime() - at.getTime() < ms;
}

const INCIDENTS_BY_POOL = new WeakMap<Pool, RecentIncidents>();

/** The incidents that a process shares among the readers of a database. */
export function recentIncidents(pool: Pool, now: Date): Promise<readonly Incident[]> {
  const recent = INCIDENTS_BY_POOL.get(pool) ?? new RecentIncidents(pool);
  INCIDENTS_BY_POOL.set(pool, recent);
  return recent.upTo(now);
}
