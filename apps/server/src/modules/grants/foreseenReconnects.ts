import { addMs, RECONNECT_FORESEEN_IN, RECONNECT_NOTICE_MS } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { timestamp } from "../sweeps/sweep.ts";

/** Bounds the work: the connections of the grants that end first are read. */
const MOST = 1_000;

interface GrantsOf {
  readonly applicationId?: string | null | undefined;
  readonly registrationId?: string | null | undefined;
  readonly most?: number;
}

/** The grants that end first, within a week. */
function grantsThatEnd(now: Date, { applicationId, registrationId, most = MOST }: GrantsOf): Prisma.Sql {
  const owner = applicationId == null ? Prisma.empty : Prisma.sql`AND application_id = ${applicationId}::uuid`;
  const registration =
    registrationId == null ? Prisma.empty : Prisma.sql`AND registration_id = ${registrationId}::uuid`;
  return Prisma.sql`(
    SELECT connection_id, application_id, refresh_token_expires_at AS ends_at FROM provider_grant
     WHERE status = 'ACTIVE' AND connection_id IS NOT NULL AND refresh_token_expires_at > ${timestamp(now)}
       AND refresh_token_expires_at <= ${timestamp(addMs(now, RECONNECT_NOTICE_MS))} ${owner} ${registration}
     ORDER BY refresh_token_expires_at LIMIT ${most}) AS g`;
}

/**
 * The columns of connections that will need a reconnect within a week, because the provider named the end of their refresh
 * token, and that end as `ends_at`. `OFFSET 0` keeps the conditions of a filter outside: with one of them PostgreSQL read all
 * connections of a registration instead of the few that end.
 */
export function foreseenReconnects(now: Date, of: GrantsOf = {}): Prisma.Sql {
  return Prisma.sql`(
    SELECT c.*, g.ends_at
      FROM ${grantsThatEnd(now, of)}
      JOIN connection c ON c.id = g.connection_id AND c.application_id = g.application_id
     WHERE c.status = ANY (${[...RECONNECT_FORESEEN_IN]}::connection_status[]) OFFSET 0) AS foreseen`;
}

/** Whether more grants end than `foreseenReconnects` may have read. */
export function hasMoreForeseen(now: Date, { most = MOST, ...of }: GrantsOf = {}): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) > ${most} FROM ${grantsThatEnd(now, { ...of, most: most + 1 })})`;
}
