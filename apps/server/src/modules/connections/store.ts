import type { SubjectScope } from "@social-connect/domain";
import type { Pool } from "pg";
import type { AccessRow } from "./accessRow.ts";
import { ACCESS_COLUMNS, ACCESS_TABLES } from "./accessRow.ts";

const OF_SCOPE = "c.application_id = $1 AND c.tenant_key = $2 AND c.external_subject_id = $3";

export async function findAccessRow(
  pool: Pool,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
): Promise<AccessRow | null> {
  const { rows } = await pool.query<AccessRow>({
    name: "connections.findAccessRow",
    text: `SELECT ${ACCESS_COLUMNS} FROM ${ACCESS_TABLES} WHERE ${OF_SCOPE} AND c.id = $4`,
    values: [applicationId, tenantKey, externalSubjectId, id],
  });
  return rows[0] ?? null;
}

/** The last row of a page of connections, which are sorted by creation time and ID. */
export interface ConnectionPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * Reads one row more than `first` to detect a next page. The SQL and its statement name include the limit, as in
 * `findContentPage`.
 */
export async function findAccessRows(
  pool: Pool,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
  first: number,
  after: ConnectionPosition | null,
): Promise<AccessRow[]> {
  const from = after === null ? "" : "AND (c.created_at, c.id) > ($4, $5)";
  const { rows } = await pool.query<AccessRow>({
    name: `connections.findAccessRows.${after === null ? "first" : "next"}.${first}`,
    text: `SELECT ${ACCESS_COLUMNS} FROM ${ACCESS_TABLES} WHERE ${OF_SCOPE} ${from} ORDER BY c.created_at, c.id LIMIT ${first + 1}`,
    values: [applicationId, tenantKey, externalSubjectId, ...(after === null ? [] : [after.createdAt, after.id])],
  });
  return rows;
}
