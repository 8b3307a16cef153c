import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  JOB_ERROR_CODES,
  type JobErrorCode,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import { SHOWN_CAUSES, type ShownCause, STORED_SYNC_STATUSES, type StoredSyncStatus } from "@social-connect/domain";

/** How long ago an account was linked, or a cause began, in days: from so many until so many ago. */
export const AGES = {
  day: { label: "In the last 24 hours", until: 1 },
  week: { label: "In the last 7 days", until: 7 },
  month: { label: "In the last 30 days", until: 30 },
  older: { label: "More than 30 days ago", since: 30 },
  year: { label: "More than a year ago", since: 365 },
} as const satisfies Readonly<Record<string, { label: string; until?: number; since?: number }>>;
export type Age = keyof typeof AGES;
/** Ends within 7 days. */
const CONSENTS = ["ending"] as const;

export const CONNECTION_ORDERS = ["user", "client", "cause", "since"] as const;
/** What the connections are counted by. */
const VIEWS = ["client", "cause"] as const;

/** The filters of the list of connections, as its URL has them, and how the list is shown. */
export interface ConnectionsSearch {
  /** Slug of a client. */
  readonly client?: string;
  /** Only with a client. */
  readonly tenant?: string;
  /** Id of a registration. */
  readonly registration?: string;
  readonly provider?: SocialProvider;
  readonly status?: ConnectionStatus;
  readonly scan?: StoredSyncStatus;
  readonly code?: JobErrorCode;
  readonly consent?: (typeof CONSENTS)[number];
  readonly age?: Age;
  readonly cause?: ShownCause;
  /** How long the cause has been known. */
  readonly since?: Age;
  /** Counts in place of the list. */
  readonly by?: (typeof VIEWS)[number];
  readonly sort?: (typeof CONNECTION_ORDERS)[number];
  readonly descending?: true;
}

/** The filters without how the list is shown. */
export function filtersOf({ by: _by, sort: _sort, descending: _descending, ...filters }: ConnectionsSearch) {
  return filters;
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
    registration: text("registration"),
    provider: one(SOCIAL_PROVIDERS, "provider"),
    status: one(CONNECTION_STATUSES, "status"),
    scan: one(STORED_SYNC_STATUSES, "scan"),
    code: one(JOB_ERROR_CODES, "code"),
    consent: one(CONSENTS, "consent"),
    age: one(Object.keys(AGES) as Age[], "age"),
    cause: one(SHOWN_CAUSES, "cause"),
    since: one(Object.keys(AGES) as Age[], "since"),
    by: one(VIEWS, "by"),
    sort: one(CONNECTION_ORDERS, "sort"),
    descending: given["descending"] === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
