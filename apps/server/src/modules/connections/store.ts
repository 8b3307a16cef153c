import type { SubjectScope } from "@social-connect/domain";
import { type Found, type KeyedRead, keyedRead, type Reader, readForKey } from "../applications/readForKey.ts";
import type { Service } from "../service.ts";
import {
  ACCESS_COLUMNS,
  ACCESS_TABLES,
  type AccessRow,
  JOIN_CONNECTION_OF_SUBJECT,
  VIEW_COLUMNS,
  type ViewRow,
} from "./accessRow.ts";

type Reads = Pick<Service, "hotReads" | "reads" | "logger">;

const READ_ACCESS = keyedRead("connections.readAccess", { columns: ACCESS_COLUMNS, join: JOIN_CONNECTION_OF_SUBJECT });
const READ_VIEW = keyedRead("connections.readView", { columns: VIEW_COLUMNS, join: JOIN_CONNECTION_OF_SUBJECT });

/** Reads a connection of a subject by its id. */
const findRow =
  <Row extends AccessRow>(read: KeyedRead) =>
  (
    service: Reads,
    reader: Reader,
    { tenantKey, externalSubjectId }: SubjectScope,
    id: string,
    now: Date,
  ): Promise<Found<Row>> =>
    readForKey(service, reader, { read, tenantKey, values: [externalSubjectId, id], now });

export const findAccessRow = findRow<AccessRow>(READ_ACCESS);
export const findViewRow = findRow<ViewRow>(READ_VIEW);

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
  const position = after === null ? [] : [after.createdAt, after.id];
  const read = after === null ? READ_LIST.first : READ_LIST.next;
  return readForKey(service, reader, { read, tenantKey, values: [externalSubjectId, first + 1, ...position], now });
}

const READ_LIST = { first: readList(false), next: readList(true) };

function readList(isNext: boolean): KeyedRead {
  const columns = `a.id, (SELECT coalesce(json_agg(listed), '[]') FROM (
    SELECT ${VIEW_COLUMNS}, c.created_at AS "createdAt" FROM ${ACCESS_TABLES}
     WHERE c.application_id = $2 AND c.tenant_key = $3 AND c.external_subject_id = $4
       ${isNext ? "AND (c.created_at, c.id) > ($6, $7)" : ""}
     ORDER BY c.created_at, c.id LIMIT $5) listed) AS connections`;
  return keyedRead(`connections.readList.${isNext ? "next" : "first"}`, { columns, join: "" });
}
