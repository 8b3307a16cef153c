import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  JOB_ERROR_CODES,
  type JobErrorCode,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import { STORED_SYNC_STATUSES, type StoredSyncStatus } from "@social-connect/domain";
import type { ConnectionsQueryVariables } from "../_generated/connections.ts";

const DAY_MS = 86_400_000;

/** How long ago an account was linked, in days: from so many until so many ago. */
export const AGES = {
  day: { label: "In the last 24 hours", until: 1 },
  week: { label: "In the last 7 days", until: 7 },
  month: { label: "In the last 30 days", until: 30 },
  older: { label: "More than 30 days ago", since: 30 },
  year: { label: "More than a year ago", since: 365 },
} as const satisfies Readonly<Record<string, { label: string; until?: number; since?: number }>>;
export type Age = keyof typeof AGES;

/** The filters of the list of connections, as its URL has them. */
export interface ConnectionsSearch {
  /** Slug of a client. */
  readonly client?: string;
  /** Only with a client. */
  readonly tenant?: string;
  readonly provider?: SocialProvider;
  readonly status?: ConnectionStatus;
  readonly scan?: StoredSyncStatus;
  readonly code?: JobErrorCode;
  readonly age?: Age;
}

/** The filters in the URL; empty and unknown ones are ignored. */
export function connectionsSearch(given: Readonly<Record<string, unknown>>): ConnectionsSearch {
  // The router parses numeric values as numbers.
  const text = (name: string) => String(given[name] ?? "").trim() || undefined;
  const one = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === given[name]);
  const client = text("client");
  const found = {
    client,
    tenant: client && text("tenant"),
    provider: one(SOCIAL_PROVIDERS, "provider"),
    status: one(CONNECTION_STATUSES, "status"),
    scan: one(STORED_SYNC_STATUSES, "scan"),
    code: one(JOB_ERROR_CODES, "code"),
    age: one(Object.keys(AGES) as Age[], "age"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The service's filter at a time. */
export function filterOf(search: ConnectionsSearch, now: Date): Omit<ConnectionsQueryVariables, "first" | "after"> {
  const { client, tenant, provider, status, scan, code, age } = search;
  const { until, since }: { until?: number; since?: number } = age === undefined ? {} : AGES[age];
  const ago = (days?: number) => (days === undefined ? null : new Date(now.getTime() - days * DAY_MS).toISOString());
  return {
    clientSlug: client ?? null,
    tenantKey: tenant ?? null,
    provider: provider ?? null,
    status: status ?? null,
    syncStatus: scan ?? null,
    errorCode: code ?? null,
    from: ago(until),
    to: ago(since),
  };
}
