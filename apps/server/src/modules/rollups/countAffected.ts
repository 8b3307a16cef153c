import {
  type ConnectionListFilter,
  concernedConnections,
  type Incident,
  ROLLUP_SECONDS,
  ROLLUP_SERIES,
} from "@social-connect/domain";
import type { Service } from "../service.ts";
import { findWanted, wantedRows } from "../support/listAllConnections.ts";
import { WHOLE_SERVICE } from "./store.ts";

export interface IncidentEffect {
  /** null for an incident of calls or connect attempts. */
  readonly connections: number | null;
  readonly clients: number;
}

type Reader = Pick<Service, "reads" | "clock">;

/** The connections and clients that an incident concerns now; null for one that concerns none in particular. */
export async function countAffected(service: Reader, incident: Incident): Promise<IncidentEffect | null> {
  const filter = concernedConnections(incident);
  if (filter !== null) return countConnections(service, filter);
  switch (incident.cause) {
    case "API_CALLS_FAIL":
      return countClients(service, incident, ROLLUP_SERIES.apiCalls, "UPSTREAM_UNAVAILABLE");
    case "CONNECT_ATTEMPTS_FAIL":
      return countClients(service, incident, ROLLUP_SERIES.connectAttempts, incident.detail);
    default:
      return null;
  }
}

/** What the list of connections has with the filter. */
async function countConnections({ reads, clock }: Reader, filter: ConnectionListFilter): Promise<IncidentEffect> {
  const rows = wantedRows(await findWanted(reads, filter), await clock.now());
  const [row] = await reads.prisma.$queryRaw<IncidentEffect[]>`
    SELECT count(*)::int AS connections, count(DISTINCT application_id)::int AS clients ${rows}`;
  return row ?? { connections: 0, clients: 0 };
}

/** Clients for which a failure was counted since it began, as far back as minutes are stored. */
async function countClients(
  { reads }: Reader,
  { begunAt, provider }: Incident,
  series: string,
  code: string | null,
): Promise<IncidentEffect> {
  const { rows } = await reads.pool.query<{ readonly clients: number }>({
    name: "rollups.countAffectedClients",
    text: `SELECT count(DISTINCT owner_id)::int AS clients FROM rollup
            WHERE series = $1 AND seconds = ${ROLLUP_SECONDS.minute} AND owner_id <> '${WHOLE_SERVICE}' AND starts_at >= $2
              AND provider = $3 AND code = $4`,
    values: [series, begunAt, provider ?? "", code ?? ""],
  });
  return { connections: null, clients: rows[0]?.clients ?? 0 };
}
