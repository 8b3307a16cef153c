/**
 * Compares the published schemas with those of the last release and requires a matching changeset: breaking changes are
 * major, additions minor. Part of `pnpm lint`.
 */
import { join } from "node:path";
import { readChangesets } from "@changesets/read";
import { ROOT } from "../packages/publishedPackages.ts";
import { findMissingBump } from "./pendingBumps.ts";
import { CONTRACT, currentSchema, releasedSchema, SCHEMAS, type SchemaFile } from "./releasedSchemas.ts";
import { judgeSchemaChange, larger, type SchemaChange } from "./schemaChange.ts";

async function judge(file: SchemaFile): Promise<SchemaChange> {
  const released = releasedSchema(file);
  if (released === null) return { bump: "minor", reasons: [`${file} was never released.`] };
  const { bump, reasons } = await judgeSchemaChange(released, currentSchema(file));
  return { bump, reasons: reasons.map((reason) => `${file}: ${reason}`) };
}

const changes = await Promise.all(SCHEMAS.map(judge));
const change: SchemaChange = {
  bump: changes.map(({ bump }) => bump).reduce(larger),
  reasons: changes.flatMap(({ reasons }) => reasons),
};
const problem = findMissingBump(change, await readChangesets(join(ROOT)), CONTRACT);
if (problem === null) console.log(`the changesets cover the schema changes since the last release (${change.bump})`);
else {
  console.error(problem);
  process.exitCode = 1;
}
