import {
  CALL_OPTIONS,
  type CallOptions,
  ConfigurationError,
  Paged,
  refuseUnknownNames,
  shapeError,
  wholeNumber,
} from "@social-connect/sdk-core";
import type { AdminClient, AdminClientPage, AuditEntry, AuditEntryPage } from "../_generated/types.ts";
import { exchange } from "./call.ts";
import type { Settings } from "./settings.ts";

const MAX_PAGE_SIZE = 100;
/** More clients than any service has: a longer list indicates a fault. */
const MOST_PAGES = 1_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Options of every list. */
export interface ListOptions extends CallOptions {
  /** Page size, 1 to 100; 100 by default. */
  readonly pageSize?: number | undefined;
}

const LIST_OPTIONS = [...CALL_OPTIONS, "pageSize"] as const satisfies readonly (keyof ListOptions)[];

export function listClients(settings: Settings, options: ListOptions = {}): Paged<AdminClient, AdminClientPage> {
  const operation = "adminClients";
  refuseUnknownNames("options", options, LIST_OPTIONS, operation);
  const { pageSize = MAX_PAGE_SIZE, ...rest } = options;
  wholeNumber("pageSize", pageSize, 1, operation, MAX_PAGE_SIZE);
  const load = (after: string | undefined, pageOptions: CallOptions) =>
    exchange(settings, operation, { first: pageSize, after: after ?? null }, pageOptions);
  return new Paged(operation, load, rest);
}

/** The client with this slug. The API finds clients only by id, so this reads the whole list. */
export async function findClient(
  settings: Settings,
  slug: string,
  options: CallOptions = {},
): Promise<AdminClient | undefined> {
  let pages = 0;
  for await (const { items } of listClients(settings, options).pages()) {
    const client = items.find((item) => item.slug === slug);
    if (client !== undefined) return client;
    pages += 1;
    if (pages >= MOST_PAGES) throw shapeError("adminClients");
  }
  return undefined;
}

/** Filters of the audit log. */
export interface AuditOptions extends ListOptions {
  /** The id of an admin key: only the entries of that key. The id is the UUID in the key, which is not secret. */
  readonly apiKeyId?: string | undefined;
}

export function listAudit(settings: Settings, options: AuditOptions = {}): Paged<AuditEntry, AuditEntryPage> {
  const operation = "adminAuditEntries";
  refuseUnknownNames("options", options, [...LIST_OPTIONS, "apiKeyId"], operation);
  const { apiKeyId, pageSize = MAX_PAGE_SIZE, ...rest } = options;
  wholeNumber("pageSize", pageSize, 1, operation, MAX_PAGE_SIZE);
  if (apiKeyId !== undefined && !UUID.test(apiKeyId)) {
    throw new ConfigurationError("apiKeyId must be the UUID in a key, not the key itself.");
  }
  const filter = { first: pageSize, apiKeyId: apiKeyId ?? null };
  const load = (after: string | undefined, pageOptions: CallOptions) =>
    exchange(settings, operation, { ...filter, after: after ?? null }, pageOptions);
  return new Paged(operation, load, rest);
}
