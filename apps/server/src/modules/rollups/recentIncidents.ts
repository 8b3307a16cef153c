import {
  addMs,
  findQuotaIncidents,
  findRateIncidents,
  type Incident,
  isLookedAt,
  type QuotaMinute,
  type ServiceCount,
} from "@social-connect/domain";
import type { Pool } from "pg";
import { Prisma, type RegistrationStatus } from "../../_generated/prisma/client.ts";
import { offTrail } from "../../platform/call/trail.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { readKnownIncidents } from "./incidentStore.ts";
import { readMinutes, readQuotaMinutes } from "./store.ts";

type Reader = Pick<Service, "reads" | "provider">;

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

/** Without a connection, an incident ends so long after its latest failure. */
const QUIET_MS = 3_600_000;
/** Also those that a reconnect brings back. */
const LIVE = ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED"].map((status) => Prisma.sql`${status}::connection_status`);

/** Registrations that are in use, also while they are paused. */
const IN_USE: readonly RegistrationStatus[] = ["PUBLISHED", "PAUSED"];

export interface FoundIncidents {
  /** As they were stored last: those that continue, and those that ended within the history. */
  readonly known: readonly Incident[];
  /** Incidents of rates and quotas, in no order; without the known ones that had ended. */
  readonly found: readonly Incident[];
}

/** However often they are read, the minutes are read once in ten seconds. */
class RecentIncidents {
  readonly #minutes: RecentMinutes<ServiceCount>;
  readonly #quotas: RecentMinutes<QuotaMinute>;
  #found: FoundIncidents = { known: [], found: [] };
  #foundAt: Date | null = null;
  #running: Promise<FoundIncidents> | null = null;

  constructor(pool: Pool) {
    this.#minutes = new RecentMinutes((from) => readMinutes(pool, from));
    this.#quotas = new RecentMinutes((from) => readQuotaMinutes(pool, from));
  }

  upTo(service: Reader, now: Date): Promise<FoundIncidents> {
    if (this.#running !== null) return this.#running;
    if (isWithin(this.#foundAt, FRESH_MS, now)) return Promise.resolve(this.#found);
    // For all who ask, also if the first one leaves.
    this.#running = offTrail(() => this.#find(service, now)).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #find({ reads, provider }: Reader, now: Date): Promise<FoundIncidents> {
    const [known, registrations, minutes, quotas] = await Promise.all([
      readKnownIncidents(reads, addMs(now, -HISTORY_MS)),
      reads.prisma.providerRegistration.findMany({ select: { id: true, provider: true, quota: true, status: true } }),
      this.#minutes.upTo(now),
      this.#quotas.upTo(now),
    ]);
    const windows = new Map(
      registrations.map((row) => [row.id, readQuota(provider(row.provider).traits.quota, row.quota).window]),
    );
    const found = [...findRateIncidents(minutes, now, known), ...findQuotaIncidents(quotas, windows, now, known)];
    const unused = registrations.filter(({ status }) => !IN_USE.includes(status)).map(({ id }) => id);
    const abandoned = await findWithoutConnections(reads, found, now);
    const ended = found.map((incident) =>
      endUnused(incident, isQuiet(incident, now) ? [...unused, ...abandoned] : unused, now),
    );
    this.#found = { known, found: ended };
    this.#foundAt = now;
    return this.#found;
  }
}

/** Whether only a read can end an incident of which nothing was seen for an hour. */
function isQuiet(incident: Incident, now: Date): boolean {
  return isLookedAt(incident) && addMs(incident.lastSeenAt, QUIET_MS) <= now;
}

/** Registrations of quiet incidents that have no connection left: nothing is read that could end them. */
async function findWithoutConnections(
  { prisma }: Reader["reads"],
  incidents: readonly Incident[],
  now: Date,
): Promise<string[]> {
  const quiet = incidents.filter((incident) => incident.endedAt === null && isQuiet(incident, now));
  const ids = [...new Set(quiet.flatMap(({ registrationId }) => registrationId ?? []))];
  if (ids.length === 0) return [];
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM unnest(${ids}::uuid[]) AS registration(id) WHERE NOT EXISTS (
      SELECT FROM connection WHERE connection.registration_id = registration.id AND connection.status IN (${Prisma.join(LIVE)}))`;
  return rows.map(({ id }) => id);
}

/** An admin who disables a registration ends its incidents: nothing is read any more. */
function endUnused(incident: Incident, unused: readonly string[], now: Date): Incident {
  const isUnused = incident.registrationId !== null && unused.includes(incident.registrationId);
  return isUnused && incident.endedAt === null ? { ...incident, endedAt: now } : incident;
}

/** A clock that was set back makes everything stale. */
function isWithin(at: Date | null, ms: number, now: Date): boolean {
  return at !== null && at <= now && now.getTime() - at.getTime() < ms;
}

const INCIDENTS_BY_POOL = new WeakMap<Pool, RecentIncidents>();

/** The incidents that a process shares among the readers of a database. */
export function recentIncidents(service: Reader, now: Date): Promise<FoundIncidents> {
  const { pool } = service.reads;
  const recent = INCIDENTS_BY_POOL.get(pool) ?? new RecentIncidents(pool);
  INCIDENTS_BY_POOL.set(pool, recent);
  return recent.upTo(service, now);
}
