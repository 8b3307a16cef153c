/**
 * Deployments that are not the simplest, as targets of the conformance suite. Those for which a package is missing are skipped by name.
 *
 *     pnpm conformance --all --registry system-tests/conformance/deployments.ts [--named replicas]
 *
 * - replicas: two api processes and two workers that share one PostgreSQL; connections alternate, so state that only one of
 *   them has makes a case fail
 * - processes: the api and the worker with two processes each, on one port
 * - pooler: all through PgBouncer in transaction mode
 * - citus: a Citus cluster with two workers
 */
import type { TargetFactory } from "../../packages/conformance/src/index.ts";
import { startTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { findCitus, NO_CITUS, startCitus } from "../../tools/citus.ts";
import { hasPgBouncer, prepareForPooler, startPgBouncer } from "../../tools/pgBouncer.ts";
import { runCommand } from "../deployment/runCommand.ts";
import { deployedTarget } from "./deployedTarget.ts";

const DEPLOYMENTS: Readonly<Record<string, TargetFactory>> = {
  replicas: deployedTarget("replicas", () => ({
    roles: ["api", "api", "worker", "worker"],
    balances: "connections",
  })),
  processes: deployedTarget("processes", () => ({ settings: { PROCESSES: "2" } })),
  pooler: deployedTarget("pooler", async (stack) => {
    const databaseUrl = stack.use(await startTemporaryDatabase()).url("postgres");
    await prepareForPooler(databaseUrl);
    const pooler = await startPgBouncer(databaseUrl, { poolSize: 20 });
    stack.defer(() => pooler.stop());
    return { databaseUrl, settings: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl } };
  }),
  citus: deployedTarget("citus", async (stack) => {
    const { url: databaseUrl } = stack.use(await startCitus()).coordinator;
    for (const command of ["migrate", "distribute"]) await runCommand(databaseUrl, [command]);
    return { databaseUrl };
  }),
};

/** Why a deployment cannot be had here. */
const MISSING: Readonly<Record<string, string | false>> = {
  pooler: !hasPgBouncer && "the Debian package pgbouncer is not installed",
  citus: findCitus() === null && NO_CITUS,
};

export const TARGETS = Object.entries(DEPLOYMENTS).flatMap(([name, target]) => {
  const missing = MISSING[name];
  if (!missing) return [target];
  console.error(`SKIPPED: the conformance suite on the deployment ${name}, because ${missing}`);
  return [];
});
