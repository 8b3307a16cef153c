/** Fails if a migration could stop the service or its previous release while it runs; see docs/operations/upgrades.md. */
import { MIGRATIONS_FOLDER } from "../../apps/server/src/platform/migrations.ts";
import { NEEDED_BY_PREVIOUS_RELEASE } from "../../apps/server/src/platform/previousRelease.ts";
import { readMigrationFiles } from "./migrationFiles.ts";
import { readRelease } from "./release.ts";
import { findUnsafe } from "./rules.ts";

/** Migrations up to this one were written before the rules, and before the first release. */
const LAST_UNCHECKED = "20261123040357_store_sweeps";

const { columns } = await readRelease();
const needed = NEEDED_BY_PREVIOUS_RELEASE.map(({ name }) => name);
const findings = await findUnsafe(await readMigrationFiles(MIGRATIONS_FOLDER), LAST_UNCHECKED, columns, needed);
for (const { migration, problem } of findings) console.error(`${migration}: ${problem}`);
if (findings.length === 0) console.log("the migrations are safe while the previous release runs");
else process.exitCode = 1;
