import type { CallOptions } from "@social-connect/sdk-core";
import { ConfigurationError, Paged } from "@social-connect/sdk-core";
import type { AdminClient, AdminClientPage, AuditEntry, AuditEntryPage } from "../_generated/types.ts";
import { call, shapeError } from "./call.ts";
import type { Settings } from "./settings.ts";

/** The most that a page holds. */
const LARGEST_PAGE = 100;
/** More clients than any service has: a longer list indicates a fault. */
const MOST_PAGES = 1_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function readClient(settings: Settings, id: string, options?: CallOptions): Promise<AdminClient> {
  const data = await call(
    settings,
    { operation: "adminClient", send: (requests) => requests.AdminClient({ id }) },
    options,
  );
  return data.adminClient;
}

/** What every list takes. */
export interface ListOptions extends CallOptions {
  /** Page size, 1 to 100; 100 by default. */
  readonly pageSize?: number;
}

export function listClients(
  settings: Settings,
  { pageSize = LARGEST_PAGE, ...options }: ListOptions = {},
): Paged<AdminClient, AdminClientPage> {
  checkPageSize(pageSize);
  const load = async (after: string | undefined, pageOptions: CallOptions) => {
    const variables = { first: pageSize, after: after ?? null };
    const data = await call(
      settings,
      { operation: "adminClients", send: (requests) => requests.AdminClients(variables) },
      pageOptions,
    );
    return data.adminClients;
  };
  return new Paged("adminClients", load, options);
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

/** What the audit log can be narrowed to. */
export interface AuditOptions extends ListOptions {
  /** The id of an admin key: only the entries of that key. The id is the UUID in the key, which is not secret. */
  readonly apiKeyId?: string | undefined;
}

export function listAudit(
  settings: Settings,
  { apiKeyId, pageSize = LARGEST_PAGE, ...options }: AuditOptions = {},
): Paged<AuditEntry, AuditEntryPage> {
  checkPageSize(pageSize);
  if (apiKeyId !== undefined && !UUID.test(apiKeyId)) {
    throw new ConfigurationError(
      "apiKeyId is the UUID in a key, between scadm_ and the dot, and never the key itself.",
    );
  }
  const load = async (after: string | undefined, pageOptions: CallOptions) => {
    const variables = { first: pageSize, after: after ?? null, apiKeyId: apiKeyId ?? null };
    const data = await call(
      settings,
      { operation: "adminAuditEntries", send: (requests) => requests.AdminAuditEntries(variables) },
      pageOptions,
    );
    return data.adminAuditEntries;
  };
  return new Paged("adminAuditEntries", load, options);
}

function checkPageSize(pageSize: number): void {
  if (Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= LARGEST_PAGE) return;
  throw new ConfigurationError(`pageSize must be a whole number of 1 to ${LARGEST_PAGE}.`);
}
