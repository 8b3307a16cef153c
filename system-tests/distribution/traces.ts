import { runStatement } from "../../packages/testkit/src/database.ts";

/** Data that outlives an account: the list of testers names accounts that may connect. */
const ALLOWED_REMAINDER = /^tester(?:_\d+)?$/;

/** The tables and shards of a node whose rows contain one of the strings. */
export async function tablesWith(url: string, strings: readonly string[]): Promise<string[]> {
  // Citus shows shards only to programs with such a name.
  const shown = new URL(url);
  shown.searchParams.set("options", "-c citus.show_shards_for_app_name_prefixes=*");
  const tables = await runStatement<Record<"schema" | "name", string>>(
    shown.href,
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname IN ('public', 'pgboss')
        AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = c.oid) ORDER BY 1, 2`,
  );
  const searched = tables.filter(({ name }) => !ALLOWED_REMAINDER.test(name));
  if (searched.length === 0) throw new Error("The node has no table.");
  const text = searched
    .map(
      ({ schema, name }) =>
        `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM "${schema}"."${name}" AS t, unnest($1::text[]) AS sought
          WHERE position(sought IN t::text) > 0)`,
    )
    .join(" UNION ALL ");
  return (await runStatement<{ name: string }>(shown.href, text, [strings])).map(({ name }) => name);
}
