import { RETENTION } from "@social-connect/domain";
import type { Pool } from "pg";

/** Where an id was found. */
export interface ErasureTrace {
  /** `schema.table.column`. */
  readonly column: string;
  readonly rows: number;
}

/** An id that may stay: it is opaque, and nothing else of the account is stored with it. */
export interface KeptId extends ErasureTrace {
  readonly what: string;
  /** When the last of these rows is due for deletion. */
  readonly until: Date;
}

/**
 * `erased`: only ids that may stay were found. `not erased`: something else was. `unknown`: a table could not be searched, or
 * there was nothing at all, not even a receipt.
 */
export interface ErasureCheck {
  readonly status: "erased" | "not erased" | "unknown";
  readonly kept: readonly KeptId[];
  readonly traces: readonly ErasureTrace[];
  readonly searched: readonly { readonly table: string; readonly rows: number }[];
  /** Tables of which this database user may not see every row. */
  readonly unsearched: readonly string[];
}

interface Kept {
  readonly what: string;
  readonly columns: readonly string[];
  /** Which rows, and when one is deleted: SQL. */
  readonly rows: string;
  readonly until: string;
}

const after = (column: string, keepMs: number) => `${column} + interval '${keepMs / 1_000} seconds'`;

const KEPT: Readonly<Record<string, Kept>> = {
  "public.job": {
    what: "receipts",
    columns: ["connection_id"],
    rows: "kind IN ('REVOKE', 'ERASE')",
    until: after("created_at", RETENTION.receipt.keepMs),
  },
  "public.event": {
    what: "events of receipts",
    columns: ["connection_id"],
    rows: "type IN ('receipt.revoke', 'receipt.erase')",
    until: after("occurred_at", RETENTION.event.keepMs),
  },
  "public.connect_attempt": {
    what: "results of Connect",
    columns: ["connection_id"],
    rows: "true",
    until: "result_expires_at",
  },
  "public.data_deletion": {
    what: "data deletion requests",
    columns: ["unfinished"],
    rows: "true",
    until: after("requested_at", RETENTION.dataDeletion.keepMs),
  },
  "public.audit_entry": {
    what: "audit entries",
    columns: ["target_id", "summary"],
    rows: "true",
    until: after("at", RETENTION.auditEntry.keepMs),
  },
};

interface Table {
  readonly schema: string;
  readonly name: string;
  readonly isReadable: boolean;
}

/**
 * Searches every row of every table of the database, including the queue's job payloads, for the id of a connection. Content,
 * credentials and read jobs all contain it.
 */
export async function verifyErasure(pool: Pool, connectionId: string): Promise<ErasureCheck> {
  const { rows: tables } = await pool.query<Table>(
    `SELECT n.nspname AS schema, c.relname AS name,
            has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AND NOT row_security_active(c.oid) AS "isReadable"
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE (c.relkind IN ('r', 'f') OR c.relkind = 'm' AND c.relispopulated) AND c.relpersistence <> 't'
        AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') ORDER BY 1, 2`,
  );
  const searched: ErasureCheck["searched"][number][] = [];
  const kept: KeptId[] = [];
  const traces: ErasureTrace[] = [];
  for (const { schema, name } of tables.filter(({ isReadable }) => isReadable)) {
    const table = `${schema}.${name}`;
    const from = `${quoted(schema)}.${quoted(name)} AS t`;
    const { rows: counts } = await pool.query<{ rows: string; found: string }>(
      `SELECT count(*) AS rows, count(*) FILTER (WHERE ${contains("t::text")}) AS found FROM ${from}`,
      [formsOf(connectionId)],
    );
    searched.push({ table, rows: Number(counts[0]?.rows) });
    if (Number(counts[0]?.found) === 0) continue;
    const columns = await findColumns(pool, from, connectionId, KEPT[table]);
    for (const { column, rows, until } of columns) {
      const trace = { column: `${table}.${column}`, rows: Number(rows) };
      if (until === null) traces.push(trace);
      else kept.push({ ...trace, what: KEPT[table]?.what ?? "", until });
    }
    // Either deleted since the first statement, or in a text that spans columns.
    if (columns.length === 0) traces.push({ column: table, rows: Number(counts[0]?.found) });
  }
  const unsearched = tables.filter(({ isReadable }) => !isReadable).map(({ schema, name }) => `${schema}.${name}`);
  const isKnown = kept.length > 0 && unsearched.length === 0;
  const status = traces.length > 0 ? "not erased" : isKnown ? "erased" : "unknown";
  return { status, kept, traces, searched, unsearched };
}

async function findColumns(pool: Pool, from: string, connectionId: string, kept: Kept | undefined) {
  const [mayStay, until] = kept === undefined ? ["false", "NULL::timestamptz"] : [kept.rows, kept.until];
  const { rows } = await pool.query<{ column: string; rows: string; until: Date | null }>(
    `SELECT value.key AS column, count(*) AS rows, max(CASE WHEN found.stays AND value.key = ANY($2) THEN found.until END) AS until
       FROM (SELECT to_jsonb(t) AS columns, ${mayStay} AS stays, ${until} AS until FROM ${from} WHERE ${contains("t::text")}) found,
            jsonb_each_text(found.columns) AS value
      WHERE ${contains("value.value")} GROUP BY 1, found.stays AND value.key = ANY($2) ORDER BY 1`,
    [formsOf(connectionId), kept?.columns ?? []],
  );
  return rows;
}

const contains = (text: string) => `lower(${text}) LIKE ANY($1)`;

/** The id with and without dashes, and as the bytes of its text, which PostgreSQL shows in hexadecimal. */
function formsOf(connectionId: string): string[] {
  const id = connectionId.toLowerCase();
  return [id, id.replaceAll("-", ""), Buffer.from(id).toString("hex")].map((form) => `%${form}%`);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
