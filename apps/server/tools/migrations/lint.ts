/** Fails if a migration could stop the service or its previous release while it runs; see docs/operations/upgrades.md. */
import { readMigrations } from "../../src/platform/database/migrations.ts";
import { findUnsafe } from "./rules.ts";

const findings = await findUnsafe(await readMigrations());
for (const finding of findings) console.error(finding);
if (findings.length === 0) console.log("the migrations are safe while the previous release runs");
else process.exitCode = 1;
