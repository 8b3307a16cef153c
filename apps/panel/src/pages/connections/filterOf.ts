import type { ConnectionsQueryVariables } from "../../_generated/connections.ts";
import { AGES, type ConnectionsSearch } from "../../ui/connectionsSearch.ts";

const DAY_MS = 86_400_000;

/** The service's filter at a time. */
export function filterOf(search: ConnectionsSearch, now: Date): Omit<ConnectionsQueryVariables, "first" | "after"> {
  const { client, tenant, registration, provider, status, scan, code, consent, age } = search;
  const { until, since }: { until?: number; since?: number } = age === undefined ? {} : AGES[age];
  const ago = (days?: number) => (days === undefined ? null : new Date(now.getTime() - days * DAY_MS).toISOString());
  return {
    clientSlug: client ?? null,
    tenantKey: tenant ?? null,
    registrationId: registration ?? null,
    provider: provider ?? null,
    status: status ?? null,
    syncStatus: scan ?? null,
    errorCode: code ?? null,
    reconnectForeseen: consent === undefined ? null : true,
    from: ago(until),
    to: ago(since),
  };
}
