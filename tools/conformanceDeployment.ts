/**
 * Runs the conformance suite on another deployment than that of a development environment:
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
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { localEncryptionKeys } from "../apps/server/src/config/localEncryptionKey.ts";
import { planAddresses } from "../apps/server/src/dev/addresses.ts";
import { planOthers } from "../apps/server/src/dev/childPlans.ts";
import { readDevSecrets } from "../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../apps/server/src/dev/ports.ts";
import { distribute } from "../apps/server/src/platform/distribution/distribute.ts";
import { applyMigrations } from "../apps/server/src/platform/migrations.ts";
import { Shutdown } from "../apps/server/src/platform/shutdown.ts";
import { balanceLoad } from "../packages/testkit/src/harness/loadBalancer.ts";
import { ServiceProcess } from "../packages/testkit/src/harness/serviceProcess.ts";
import { SOURCE_FLAGS } from "../packages/testkit/src/harness/startedProgram.ts";
import { withTemporaryDatabase } from "../packages/testkit/src/harness/temporaryDatabase.ts";
import { startTemporaryServer } from "../packages/testkit/src/harness/temporaryServer.ts";
import { findCitus, NO_CITUS, withCitus } from "./citus.ts";
import { hasPgBouncer, prepareForPooler, startPgBouncer } from "./pgBouncer.ts";

const SUITE = fileURLToPath(new URL("../packages/conformance/src/cli.ts", import.meta.url));

interface Deployment {
  /** Why it cannot be had here. */
  readonly missing?: string | null;
  readonly run: (parameters: readonly string[]) => Promise<number>;
}

const DEPLOYMENTS: Readonly<Record<string, Deployment>> = {
  replicas: {
    run: (parameters) => withTemporaryDatabase((database) => runOnReplicas(database.url("postgres"), parameters)),
  },
  processes: {
    run: (parameters) =>
      withTemporaryDatabase((database) => runOnService(database.url("postgres"), { PROCESSES: "2" }, parameters)),
  },
  pooler: {
    missing: hasPgBouncer ? null : "the Debian package pgbouncer is not installed",
    run: (parameters) => withTemporaryDatabase((database) => runBehindPooler(database.url("postgres"), parameters)),
  },
  citus: {
    missing: findCitus() === null ? NO_CITUS : null,
    run: (parameters) =>
      withCitus({ workers: 2 }, async ({ coordinator: { url } }) => {
        await applyMigrations(url);
        await distribute(url);
        return await runOnService(url, {}, parameters);
      }),
  },
};

async function main([name = "", ...parameters]: readonly string[]): Promise<number> {
  const deployment = DEPLOYMENTS[name];
  if (deployment === undefined) {
    console.error(`Pass one of ${Object.keys(DEPLOYMENTS).join(", ")}.`);
    return 2;
  }
  if (deployment.missing == null) return deployment.run(parameters);
  console.log(`SKIPPED: the conformance suite on the deployment ${name}, because ${deployment.missing}`);
  return 0;
}

async function runBehindPooler(databaseUrl: string, parameters: readonly string[]): Promise<number> {
  await prepareForPooler(databaseUrl);
  const pooler = await startPgBouncer(databaseUrl, { poolSize: 20 });
  try {
    const environment = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl };
    return await runOnService(databaseUrl, environment, parameters);
  } finally {
    await pooler.stop();
  }
}

/** A development environment whose service has other settings. */
async function runOnService(
  databaseUrl: string,
  serviceEnvironment: Readonly<Record<string, string>>,
  parameters: readonly string[],
): Promise<number> {
  const { devFile, stop } = await startTemporaryServer({ databaseUrl, serviceEnvironment });
  try {
    return await runSuite(devFile, parameters);
  } finally {
    await stop();
  }
}

async function runSuite(target: string, parameters: readonly string[]): Promise<number> {
  const suite = spawn(process.execPath, [...SOURCE_FLAGS, SUITE, "--target", target, ...parameters], {
    stdio: "inherit",
  });
  const [code] = (await once(suite, "exit")) as [number | null];
  return code ?? 1;
}

async function runOnReplicas(databaseUrl: string, parameters: readonly string[]): Promise<number> {
  const shutdown = new Shutdown();
  try {
    const { dataFolder, devFile, firstPort, stop } = await startTemporaryServer({ databaseUrl });
    shutdown.add(stop);
    const api = await startSecond({ dataFolder, databaseUrl, firstPort }, shutdown);
    const proxy = await balanceLoad([firstPort, api.port]);
    shutdown.add(async () => proxy.close());
    const target = join(dataFolder, "replicas.json");
    const described = JSON.parse(await readFile(devFile, "utf8"));
    described.consumer.baseUrl = `http://127.0.0.1:${proxy.port}`;
    await writeFile(target, JSON.stringify(described), { mode: 0o600 });
    const code = await runSuite(target, parameters);
    console.log(`answered by: first API process ${proxy.counts[0]} connections, second ${proxy.counts[1]}`);
    return code;
  } finally {
    await shutdown.run(console.error);
  }
}

/** One more API process and one more worker, with the settings of the first; gives the API. */
async function startSecond(
  { dataFolder, databaseUrl, firstPort }: { dataFolder: string; databaseUrl: string; firstPort: number },
  shutdown: Shutdown,
): Promise<ServiceProcess> {
  const ports = planPorts(firstPort);
  const [secrets, keys] = await Promise.all([readDevSecrets(dataFolder), localEncryptionKeys(dataFolder)]);
  const places = { dataFolder, ports, addresses: planAddresses(ports), secrets, panelFolder: null };
  const plan = { ...places, hasMovableClock: true, isVerbose: false };
  const [service] = planOthers(plan, databaseUrl, keys.text);
  const start = async (role: "api" | "worker") => {
    const started = await ServiceProcess.start({ role, environment: service?.environment ?? {} });
    shutdown.add(async () => void (await started.stop()));
    return started;
  };
  const [api] = await Promise.all([start("api"), start("worker")]);
  return api;
}

process.exitCode = await main(process.argv.slice(2));
process.exit();
