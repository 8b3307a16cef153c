/**
 * Runs the conformance suite on a deployment that is not the simplest:
 *
 *     pnpm test:system deployment replicas   two api processes and two workers that share one PostgreSQL; connections
 *                                            alternate, so state that only one of them has makes a case fail
 *     pnpm test:system deployment processes  the api and the worker with two processes each, on one port
 *     pnpm test:system deployment pooler     all through PgBouncer in transaction mode; skipped if it is not installed
 *     pnpm test:system deployment citus      a Citus cluster with two workers; skipped if the extension is not installed
 *
 * Further parameters are those of the suite, e.g. `--only PATTERN`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TargetFactory } from "../../packages/conformance/src/index.ts";
import { SOURCE_FLAGS } from "../../packages/testkit/src/harness/startedProgram.ts";
import { startTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { findCitus, NO_CITUS, startCitus } from "../../tools/citus.ts";
import { hasPgBouncer, prepareForPooler, startPgBouncer } from "../../tools/pgBouncer.ts";
import { runCommand } from "../deployment/runCommand.ts";
import { deployedTarget } from "./deployedTarget.ts";

const SUITE = fileURLToPath(new URL("../../packages/conformance/src/cli.ts", import.meta.url));

const DEPLOYMENTS: Readonly<Record<string, TargetFactory>> = {
  replicas: deployedTarget("replicas", () => ({
    roles: ["api", "api", "worker", "worker"],
    balances: "connections",
  })),
  processes: deployedTarget("processes", () => ({ settings: { PROCESSES: "2" } })),
  pooler: deployedTarget("pooler", async (stack) => {
    const database = await startTemporaryDatabase();
    stack.defer(() => database.stop());
    const databaseUrl = database.url("postgres");
    await prepareForPooler(databaseUrl);
    const pooler = await startPgBouncer(databaseUrl, { poolSize: 20 });
    stack.defer(() => pooler.stop());
    return { databaseUrl, settings: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl } };
  }),
  citus: deployedTarget("citus", async (stack) => {
    const cluster = await startCitus(findCitus() ?? "", { workers: 2 });
    stack.defer(() => cluster.stop());
    const databaseUrl = cluster.coordinator.url;
    for (const command of ["migrate", "distribute"]) await runCommand(databaseUrl, [command]);
    return { databaseUrl };
  }),
};

/** Why a deployment cannot be had here. */
const MISSING: Readonly<Record<string, string | false>> = {
  pooler: !hasPgBouncer && "the Debian package pgbouncer is not installed",
  citus: findCitus() === null && NO_CITUS,
};

/** For the suite, as a registry. */
export const TARGETS = Object.values(DEPLOYMENTS);

async function main([name = "", ...parameters]: readonly string[]): Promise<number> {
  if (DEPLOYMENTS[name] === undefined) {
    console.error(`Pass one of ${Object.keys(DEPLOYMENTS).join(", ")}.`);
    return 2;
  }
  const missing = MISSING[name];
  if (missing) {
    console.log(`SKIPPED: the conformance suite on the deployment ${name}, because ${missing}`);
    return 0;
  }
  const chosen = ["--all", "--registry", fileURLToPath(import.meta.url), "--named", name];
  const suite = spawn(process.execPath, [...SOURCE_FLAGS, SUITE, ...chosen, ...parameters], { stdio: "inherit" });
  const [code] = (await once(suite, "exit")) as [number | null];
  return code ?? 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
