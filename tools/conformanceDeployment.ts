/**
 * Runs the conformance suite on another deployment than that of a development environment:
 *
 *     pnpm check deployment replicas   two api processes and two workers that share one PostgreSQL; connections
 *                                            alternate, so state that only one of them has makes a case fail
 *     pnpm check deployment processes  the api and the worker with two processes each, on one port
 *     pnpm check deployment pooler     all through PgBouncer in transaction mode; skipped if it is not installed
 *     pnpm check deployment citus      a Citus cluster with two workers; skipped if the extension is not installed
 *
 * Further parameters are those of the suite, e.g. `--only PATTERN`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { localEncryptionKeys } from "../apps/server/src/config/localEncryptionKey.ts";
import { planAddresses } from "../apps/server/src/dev/addresses.ts";
import { planOthers } from "../apps/server/src/dev/childPlans.ts";
import { startDev } from "../apps/server/src/dev/dev.ts";
import { devFilePath } from "../apps/server/src/dev/devFile.ts";
import { readDevSecrets } from "../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../apps/server/src/dev/ports.ts";
import { waitUntilItAnswers } from "../apps/server/src/dev/processes/waitUntilItAnswers.ts";
import { distribute } from "../apps/server/src/platform/distribution/distribute.ts";
import { applyMigrations } from "../apps/server/src/platform/migrations.ts";
import { reservePort } from "../apps/server/src/platform/ports.ts";
import { findCitus, NO_CITUS, withCitus } from "./citus.ts";
import { balanceLoad } from "./loadBalancer.ts";
import { hasPgBouncer, prepareForPooler, startPgBouncer } from "./pgBouncer.ts";
import { withTemporaryDatabase } from "./temporaryDatabase.ts";

const FIRST_PORT = 5_400;
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const SERVER = fileURLToPath(new URL("../apps/server/src/cli/cli.ts", import.meta.url));
const SUITE = fileURLToPath(new URL("../packages/conformance/src/cli.ts", import.meta.url));

const DEPLOYMENTS = ["replicas", "processes", "pooler", "citus"] as const;
type Deployment = (typeof DEPLOYMENTS)[number];

interface Place {
  readonly databaseUrl: string;
  readonly dataFolder: string;
}

async function main([deployment, ...parameters]: readonly string[]): Promise<number> {
  if (!DEPLOYMENTS.some((name) => name === deployment)) {
    console.error(`Pass one of ${DEPLOYMENTS.join(", ")}.`);
    return 2;
  }
  if (deployment === "pooler" && !hasPgBouncer) {
    console.log(
      "SKIPPED: the conformance suite through PgBouncer, because the Debian package pgbouncer is not installed",
    );
    return 0;
  }
  if (deployment === "citus" && findCitus() === null) {
    console.log(`SKIPPED: the conformance suite on Citus, because ${NO_CITUS}`);
    return 0;
  }
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-deployment-"));
  try {
    if (deployment === "citus") return await runOnCitus(dataFolder, parameters);
    return await withTemporaryDatabase(async (database) => {
      const place = { databaseUrl: database.url("postgres"), dataFolder };
      return await DEPLOY[deployment as Exclude<Deployment, "citus">](place, parameters);
    });
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** The service connects to the coordinator of a cluster with two workers, which has distributed tables. */
async function runOnCitus(dataFolder: string, parameters: readonly string[]): Promise<number> {
  return withCitus({ workers: 2 }, async (cluster) => {
    const databaseUrl = cluster.coordinator.url;
    await applyMigrations(databaseUrl);
    await distribute(databaseUrl);
    return await runOnService({ databaseUrl, dataFolder }, {}, parameters);
  });
}

const DEPLOY: Readonly<
  Record<Exclude<Deployment, "citus">, (place: Place, parameters: readonly string[]) => Promise<number>>
> = {
  replicas: runOnReplicas,
  processes: (place, parameters) => runOnService(place, { PROCESSES: "2" }, parameters),
  pooler: async (place, parameters) => {
    await prepareForPooler(place.databaseUrl);
    const pooler = await startPgBouncer(place.databaseUrl, { poolSize: 20 });
    try {
      const environment = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: place.databaseUrl };
      return await runOnService(place, environment, parameters);
    } finally {
      await pooler.stop();
    }
  },
};

function devOptions({ databaseUrl, dataFolder }: Place) {
  return {
    firstPort: FIRST_PORT,
    dataFolder,
    hasMovableClock: true,
    hasPanel: false,
    isVerbose: false,
    databaseUrl,
  };
}

/** A development environment whose service has other settings. */
async function runOnService(
  place: Place,
  serviceEnvironment: Readonly<Record<string, string>>,
  parameters: readonly string[],
): Promise<number> {
  const { signal } = new AbortController();
  const setup = await startDev({ ...devOptions(place), serviceEnvironment, signal });
  try {
    return await runSuite(devFilePath(place.dataFolder), parameters);
  } finally {
    await setup.stop();
  }
}

async function runSuite(target: string, parameters: readonly string[]): Promise<number> {
  const suite = spawn(process.execPath, [...FLAGS, SUITE, "--target", target, ...parameters], { stdio: "inherit" });
  const [code] = (await once(suite, "exit")) as [number | null];
  return code ?? 1;
}

async function runOnReplicas(place: Place, parameters: readonly string[]): Promise<number> {
  const options = devOptions(place);
  const { dataFolder } = place;
  const setup = await startDev({ ...options, signal: new AbortController().signal });
  const second: ChildProcess[] = [];
  try {
    const api = await startSecond(options, second);
    const proxy = await balanceLoad([FIRST_PORT, api]);
    const target = join(dataFolder, "replicas.json");
    const described = JSON.parse(await readFile(devFilePath(dataFolder), "utf8"));
    described.consumer.baseUrl = `http://127.0.0.1:${proxy.port}`;
    await writeFile(target, JSON.stringify(described), { mode: 0o600 });
    const code = await runSuite(target, parameters);
    console.log(`answered by: first API process ${proxy.counts[0]} connections, second ${proxy.counts[1]}`);
    proxy.close();
    return code;
  } finally {
    for (const child of second) child.kill("SIGTERM");
    await Promise.all(second.map((child) => child.exitCode ?? once(child, "exit")));
    await setup.stop();
  }
}

/** One more API process and one more worker, with the settings of the first; gives the API's port. */
async function startSecond(
  options: { readonly firstPort: number; readonly dataFolder: string; readonly databaseUrl: string },
  started: ChildProcess[],
): Promise<number> {
  const { dataFolder, databaseUrl } = options;
  const ports = planPorts(options.firstPort);
  const [secrets, keys, port] = await Promise.all([
    readDevSecrets(dataFolder),
    localEncryptionKeys(dataFolder),
    reservePort(),
  ]);
  const plan = {
    ...options,
    ports,
    addresses: planAddresses(ports),
    secrets,
    hasMovableClock: true,
    panelFolder: null,
    isVerbose: false,
  };
  for (const { role, environment } of planOthers(plan, databaseUrl, keys.text)) {
    if (role === "example") continue;
    const env = { ...environment, PORT: String(port) };
    started.push(spawn(process.execPath, [...FLAGS, SERVER, "start", "--role", role], { env, stdio: "inherit" }));
  }
  await waitUntilItAnswers(`http://127.0.0.1:${port}/readyz`, 30_000);
  return port;
}

process.exitCode = await main(process.argv.slice(2));
process.exit();
