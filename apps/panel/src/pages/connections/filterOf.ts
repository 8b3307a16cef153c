import type { ConnectionOrder, ConnectionsQueryVariables } from "../../_generated/connections.ts";
import { AGES, type Age, type ConnectionsSearch, filtersOf } from "../../ui/connectionsSearch.ts";

const DAY_MS = 86_400_000;

/** Filters that name a user. They are in the entry of the browser's history and not in its URL. */
export interface SoughtUser {
  /** The complete id of a client's user. */
  readonly user: string;
  /** Only with a client. */
  readonly handle: string;
}

export const NO_USER: SoughtUser = { user: "", handle: "" };

export function isFiltered(search: ConnectionsSearch, { user, handle }: SoughtUser): boolean {
  return Object.keys(filtersOf(search)).length > 0 || user !== "" || handle !== "";
}

/** The service's filter at a time. */
export function filterOf(
  search: ConnectionsSearch,
  { user, handle }: SoughtUser,
  now: Date,
): Omit<ConnectionsQueryVariables, "first" | "after" | "order" | "descending"> {
  const { client, tenant, registration, provider, status, scan, code, consent, age, cause, since } = search;
  const ago = (days?: number) => (days === undefined ? null : new Date(now.getTime() - days * DAY_MS).toISOString());
  const [linked, caused] = [daysOf(age), daysOf(since)];
  return {
    clientSlug: client ?? null,
    tenantKey: tenant ?? null,
    registrationId: registration ?? null,
    provider: provider ?? null,
    status: status ?? null,
    syncStatus: scan ?? null,
    errorCode: code ?? null,
    reconnectForeseen: consent === undefined ? null : true,
    from: ago(linked.until),
    to: ago(linked.since),
    cause: cause ?? null,
    causeFrom: ago(caused.until),
    causeTo: ago(caused.since),
    externalSubjectId: user || null,
    handle: client === undefined ? null : handle || null,
  };
}

export function orderOf({
  sort,
  descending,
}: ConnectionsSearch): Pick<ConnectionsQueryVariables, "order" | "descending"> {
  if (sort === undefined) return { order: null, descending: null };
  return { order: sort.toUpperCase() as ConnectionOrder, descending: descending ?? null };
}

function daysOf(age: Age | undefined): { readonly until?: number; readonly since?: number } {
  return age === undefined ? {} : AGES[age];
}
