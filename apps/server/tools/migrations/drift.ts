/** Compares the migrations with schema.prisma: builds a database from each, and compares PostgreSQL's own catalogues. */
import { runStatement } from "@social-connect/testkit";
import { applyMigrations } from "../../src/platform/database/migrations.ts";
import { diffSchemas } from "../../src/platform/testing/schemaEngine.ts";
import { startTemporaryDatabase } from "../../src/platform/testing/temporaryDatabase.ts";

/**
 * PostgreSQL's description of a database's tables, as sorted lines, so that two databases can be compared.
 *
 * It omits what schema.prisma cannot express and a migration may add in SQL: check constraints, indexes on an expression or
 * with a condition, and the columns that a foreign key sets to NULL.
 */
const STATEMENTS: readonly string[] = [
  `SELECT format('column %s.%s %s%s default=%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                 CASE WHEN a.attnotnull THEN ' not null' ELSE '' END, pg_get_expr(d.adbin, d.adrelid)) AS line
     FROM pg_attribute a
     JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm')
     JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
     LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relname <> '_prisma_migrations'`,
  `SELECT format('constraint %s %s %s', c.relname, k.conname, regexp_replace(pg_get_constraintdef(k.oid), ' SET NULL \\([^)]*\\)', ' SET NULL')) AS line
     FROM pg_constraint k
     JOIN pg_class c ON c.oid = k.conrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    WHERE k.contype NOT IN ('c', 'n') AND c.relname <> '_prisma_migrations'`,
  `SELECT pg_get_indexdef(i.indexrelid) AS line
     FROM pg_index i
     JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    WHERE i.indpred IS NULL AND i.indexprs IS NULL AND c.relname <> '_prisma_migrations'`,
  `SELECT format('enum %s %s', t.typname, string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder)) AS line
     FROM pg_type t
     JOIN pg_namespace n ON n.oid = t.typnamespace AND n.nspname = 'public'
     JOIN pg_enum e ON e.enumtypid = t.oid
    GROUP BY t.typname`,
];

export async function findDrift(migrationsFolder: string, schema: string) {
  await using database = await startTemporaryDatabase();
  for (const name of ["migrated", "declared"]) await runStatement(database.url("postgres"), `CREATE DATABASE ${name}`);
  await applyMigrations(database.url("migrated"), migrationsFolder);
  await runStatement(database.url("declared"), await diffSchemas(database.url("postgres"), null, schema));
  const migrated = await describeTables(database.url("migrated"));
  const declared = await describeTables(database.url("declared"));
  return {
    onlyInMigrations: migrated.filter((line) => !declared.includes(line)),
    onlyInSchema: declared.filter((line) => !migrated.includes(line)),
  };
}

async function describeTables(url: string): Promise<string[]> {
  const rows = await Promise.all(STATEMENTS.map((statement) => runStatement<{ line: string }>(url, statement)));
  return rows.flatMap((found) => found.map(({ line }) => line)).toSorted();
}
