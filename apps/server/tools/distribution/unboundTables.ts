import type { Pool } from "pg";
import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN } from "../../src/platform/distribution/tables.ts";

const CONDITIONS = ["Index Cond", "Recheck Cond", "Filter"] as const;
interface Plan extends Readonly<Partial<Record<(typeof CONDITIONS)[number], string>>> {
  readonly "Relation Name"?: string;
  readonly Operation?: string;
  readonly Plans?: readonly Plan[];
}

/** A condition that a row meets as one of several binds nothing. */
const ALTERNATIVES = /\((?:[^()]|\([^()]*\))* OR (?:[^()]|\([^()]*\))*\)/g;
/** PostgreSQL replaces a column that equals a parameter by the parameter, except in a subquery. */
const BOUND = new RegExp(String.raw`\b${DISTRIBUTION_COLUMN} = (?:\$\d|'|\(?(?:\w+\.)?${DISTRIBUTION_COLUMN}\b)`);
const INSERTED = /INSERT INTO (?:"?public"?\.)?"?(\w+)"?(?: AS \w+)? \(([^)]*)\)/g;

/**
 * The growing tables of a statement whose rows no parameter limits to one application, by PostgreSQL's own plan. On a distributed
 * database such a statement asks every shard, and cannot lock rows.
 */
export async function unboundTables(pool: Pool, text: string): Promise<string[]> {
  const { rows } = await pool.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
  const inserted = [...text.matchAll(INSERTED)].flatMap(([, table = "", columns = ""]) =>
    columns.includes(DISTRIBUTION_COLUMN) ? [] : [table],
  );
  const isGrowing = (table: string) => (DISTRIBUTED_TABLES as readonly string[]).includes(table);
  return [...inserted, ...unboundScans(rows[0]["QUERY PLAN"][0].Plan)].filter(isGrowing);
}

function unboundScans(plan: Plan): string[] {
  const inside = (plan.Plans ?? []).flatMap(unboundScans);
  const table = plan["Relation Name"];
  if (table === undefined || plan.Operation !== undefined) return inside;
  const isBound = CONDITIONS.some((name) => BOUND.test((plan[name] ?? "").replaceAll(ALTERNATIVES, "")));
  return isBound ? inside : [table, ...inside];
}
