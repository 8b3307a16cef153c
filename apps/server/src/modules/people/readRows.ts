import type { Pool } from "pg";
import type { Person } from "./findPerson.ts";
import type { PersonTable } from "./personTable.ts";

const BATCH = 500;
/** Arrays of enums have no parser in the driver. */
const ENUM_ARRAYS: ReadonlySet<string> = new Set(["capabilities"]);

/** How many rows a table has of a person, and when the last of them is deleted. */
export interface RowCount {
  readonly rows: number;
  readonly endsAt: Date | null;
}

export async function countRows(pool: Pool, table: PersonTable, person: Person): Promise<RowCount> {
  const { rows } = await pool.query<RowCount>(
    `SELECT count(*)::int AS rows, max(${table.until}) AS "endsAt" FROM ${table.name} WHERE ${table.rows.where}`,
    [...table.rows.values(person)],
  );
  return rows[0] ?? { rows: 0, endsAt: null };
}

/** The exported columns of a person's rows, in batches, so that an export of many posts needs little memory. */
export async function* readRows(
  pool: Pool,
  table: PersonTable,
  person: Person,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[], void, undefined> {
  const columns = Object.values(table.fields).flatMap((fields) => Object.keys(fields));
  const shown = columns.map((column) => (ENUM_ARRAYS.has(column) ? `${column}::text[]` : column));
  const { key: keyColumns = ["id"] } = table;
  const key = keyColumns.join(", ");
  const values = table.rows.values(person);
  for (let position: readonly unknown[] = []; ; ) {
    const isAfter = position.map((_, index) => `$${values.length + 1 + index}`).join(", ");
    const { rows } = await pool.query<Record<string, unknown>>(
      `SELECT ${shown.join(", ")}, ${table.until} AS stored_until FROM ${table.name}
        WHERE (${table.rows.where})${position.length === 0 ? "" : ` AND (${key}) > (${isAfter})`}
        ORDER BY ${key} LIMIT ${BATCH}`,
      [...values, ...position],
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    position = keyColumns.map((column) => last[column]);
  }
}
