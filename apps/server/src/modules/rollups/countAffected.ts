import { LIMITS } from "@social-connect/contract";
import {
  addMs,
  type ConnectionListFilter,
  concernedConnections,
  type Incident,
  ROLLUP_SECONDS,
  ROLLUP_SERIES,
} from "@social-connect/domain";
import type { Service } from "../service.ts";
import { findWanted, wantedRows } from "../support/listAllConnections.ts";
import { timestamp } from "../sweeps/sweep.ts";
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
      return countCallers(service, incident);
    case "CONNECT_ATTEMPTS_FAIL":
      return countConnecting(service, incident);
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

/** Clients of which a call failed since it began, as far back as minutes are stored. */
async function countCallers({ reads }: Reader, { begunAt }: Incident): Promise<IncidentEffect> {
  const [row] = await reads.prisma.$queryRaw<Clients[]>`
    SELECT count(DISTINCT owner_id)::int AS clients FROM rollup
     WHERE series = ${ROLLUP_SERIES.apiCalls} AND seconds = ${ROLLUP_SECONDS.minute} AND owner_id <> ${WHOLE_SERVICE}::uuid
       AND starts_at >= ${timestamp(begunAt)} AND code = 'UPSTREAM_UNAVAILABLE'`;
  return { connections: null, clients: row?.clients ?? 0 };
}

/** Clients of which an attempt failed since it began, as far back as attempts are stored. */
async function countConnecting(
  { reads }: Reader,
  { begunAt, registrationId, detail }: Incident,
): Promise<IncidentEffect> {
  // The index is on the end of the result, which is a fixed time after the creation.
  const expiresFrom = addMs(begunAt, LIMITS.connectResultReadableMs);
  const [row] = await reads.prisma.$queryRaw<Clients[]>`
    SELECT count(DISTINCT application_id)::int AS clients FROM connect_attempt
     WHERE result_expires_at >= ${timestamp(expiresFrom)} AND registration_id = ${registrationId}::uuid
       AND status = 'FAILED' AND result_code = ${detail}`;
  return { connections: null, clients: row?.clients ?? 0 };
}

type Clients = Pick<IncidentEffect, "clients">;
