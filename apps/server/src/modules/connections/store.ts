import type { SubjectScope } from "@social-connect/domain";
import type { Found, KeyedRead, Reader } from "../applications/readForKey.ts";
import { keyedRead, readForKey } from "../applications/readForKey.ts";
import type { Service } from "../service.ts";
import type { AccessRow, ViewRow } from "./accessRow.ts";
import { ACCESS_COLUMNS, ACCESS_TABLES, JOIN_CONNECTION_OF_SUBJECT, VIEW_COLUMNS } from "./accessRow.ts";

type Reads = Pick<Service, "hotReads" | "pool" | "logger">;

const READ_ACCESS = keyedRead("connections.readAccess", { columns: ACCESS_COLUMNS, join: JOIN_CONNECTION_OF_SUBJECT });
const READ_VIEW = keyedRead("connections.readView", { columns: VIEW_COLUMNS, join: JOIN_CONNECTION_OF_SUBJECT });

export function findAccessRow(
  service: Reads,
  reader: Reader,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
  now: Date,
): Promise<Found<AccessRow>> {
  return readForKey(service, reader, { read: READ_ACCESS, tenantKey, values: [externalSubjectId, id], now });
}

export function findViewRow(
  service: Reads,
  reader: Reader,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
  now: Date,
): Promise<Found<ViewRow>> {
  return readForKey(service, reader, { read: READ_VIEW, tenantKey, values: [externalSubjectId, id], now });
}

/** The last row of a page of connections, which are sorted by creation time and ID. */
export interface ConnectionPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export interface ListedRow extends ViewRow {
  readonly createdAt: string;
}

/** Reads one row more than `first` to detect a next page. */
export async function findViewRows(
  service: Reads,
  reader: Reader,
  { tenantKey, externalSubjectId }: SubjectScope,
  page: { readonly first: number; readonly after: ConnectionPosition | null },
  now: Date,
): Promise<Found<{ readonly id: string; readonly connections: readonly ListedRow[] }>> {
  const { first, after } = page;
  const values = [externalSubjectId, ...(after === null ? [] : [after.createdAt, after.id])];
  return readForKey(service, reader, { read: readList(first, after !== null), tenantKey, values, now });
}

const lists = new Map<string, KeyedRead>();

/** The SQL and its statement name include the limit, as in `findContentPage`. */
function readList(first: number, isNext: boolean): KeyedRead {
  const name = `connections.readList.${isNext ? "next" : "first"}.${first}`;
  const existing = lists.get(name);
  if (existing !== undefined) return existing;
  const columns = `a.id, (SELECT coalesce(json_agg(listed), '[]') FROM (
    SELECT ${VIEW_COLUMNS}, c.created_at AS "createdAt" FROM ${ACCESS_TABLES}
     WHERE c.application_id = $2 AND c.tenant_key = $3 AND c.external_subject_id = $4
       ${isNext ? "AND (c.created_at, c.id) > ($5, $6)" : ""}
     ORDER BY c.created_at, c.id LIMIT ${first + 1}) listed) AS connections`;
  const read = keyedRead(name, { columns, join: "" });
  lists.set(name, read);
  return read;
}
