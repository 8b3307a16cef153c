/**
 * Compares the published schemas with those of the last release and requires a matching changeset: breaking changes are
 * major, additions minor.
 *
 *     pnpm check schemas
 */
import { join } from "node:path";
import { readChangesets } from "@changesets/read";
import { ROOT } from "../packages/publishedPackages.ts";
import { findMissingBump } from "./pendingBumps.ts";
import { CONTRACT, currentSchema, releasedSchema, SCHEMAS } from "./releasedSchemas.ts";
import { judgeSchemaChange, larger, type SchemaChange } from "./schemaChange.ts";

function judgeAll(): SchemaChange {
  return SCHEMAS.map((file) => {
    const released = releasedSchema(file);
    if (released === null) return { bump: "minor", reasons: [`${file} was never released.`] } as const;
    const { bump, reasons } = judgeSchemaChange(released, currentSchema(file));
    return { bump, reasons: reasons.map((reason) => `${file}: ${reason}`) };
  }).reduce<SchemaChange>(
    (sum, { bump, reasons }) => ({ bump: larger(sum.bump, bump), reasons: [...sum.reasons, ...reasons] }),
    { bump: "none", reasons: [] },
  );
}

const change = judgeAll();
const problem = findMissingBump(change, await readChangesets(join(ROOT)), CONTRACT);
if (problem === null) console.log(`the changesets cover the schema changes since the last release (${change.bump})`);
else {
  console.error(problem);
  process.exitCode = 1;
}
