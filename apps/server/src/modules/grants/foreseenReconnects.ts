import { addMs, RECONNECT_FORESEEN_IN, RECONNECT_NOTICE_MS } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { timestamp } from "../sweeps/sweep.ts";

/** Bounds the work: the connections of the grants that end first are read. */
const MOST = 1_000;

interface GrantsOf {
  readonly applicationId?: string | null | undefined;
  readonly registrationId?: string | null | undefined;
}

/**
 * The columns of connections that will need a reconnect within a week, because the provider named the end of their refresh
 * token, and that end as `ends_at`.
 */
export function foreseenReconnects(now: Date, of: GrantsOf = {}): Prisma.Sql {
  const owner = of.applicationId == null ? Prisma.empty : Prisma.sql`AND application_id = ${of.applicationId}::uuid`;
  const registration =
    of.registrationId == null ? Prisma.empty : Prisma.sql`AND registration_id = ${of.registrationId}::uuid`;
  return Prisma.sql`(
    SELECT c.*, g.ends_at
      FROM (SELECT connection_id, application_id, refresh_token_expires_at AS ends_at FROM provider_grant
             WHERE status = 'ACTIVE' AND connection_id IS NOT NULL AND refresh_token_expires_at > ${timestamp(now)}
               AND refresh_token_expires_at <= ${timestamp(addMs(now, RECONNECT_NOTICE_MS))} ${owner} ${registration}
             ORDER BY refresh_token_expires_at LIMIT ${MOST}) g
      JOIN connection c ON c.id = g.connection_id AND c.application_id = g.application_id
     WHERE c.status = ANY (${[...RECONNECT_FORESEEN_IN]}::connection_status[])) AS foreseen`;
}
