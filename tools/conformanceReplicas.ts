/**
 * Runs the conformance suite on two api processes and two workers that share one PostgreSQL: connections alternate
 * between the api processes, so state that only one of them has makes a case fail.
 *
 *     pnpm conformance:replicas [--only PATTERN]
 */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { localEncryptionKeys } from "../apps/server/src/config/localEncryptionKey.ts";
import { planAddresses } from "../apps/server/src/dev/addresses.ts";
import { planOthers } from "../apps/server/src/dev/childPlans.ts";
import { startDev } from "../apps/server/src/dev/dev.ts";
import { readDevSecrets } from "../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../apps/server/src/dev/ports.ts";
import { waitUntilItAnswers } from "../apps/server/src/dev/processes/waitUntilItAnswers.ts";
import { reservePort } from "../apps/server/src/platform/ports.ts";
import { balanceLoad } from "./loadBalancer.ts";
import { withTemporaryDatabase } from "./temporaryDatabase.ts";

const FIRST_PORT = 5_400;
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const SERVER = fileURLToPath(new URL("../apps/server/src/cli/cli.ts", import.meta.url));
const SUITE = fileURLToPath(new URL("../packages/conformance/src/cli.ts", import.meta.url));

async function main(parameters: readonly string[]): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-replicas-"));
  try {
    return await withTemporaryDatabase((database) => run(database.url("postgres"), dataFolder, parameters));
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function run(databaseUrl: string, dataFolder: string, parameters: readonly string[]): Promise<number> {
  const controller = new AbortController();
  const options = {
    firstPort: FIRST_PORT,
    dataFolder,
    hasMovableClock: true,
    hasPanel: false,
    isVerbose: false,
    databaseUrl,
  };
  const setup = await startDev({ ...options, signal: controller.signal });
  const second: ChildProcess[] = [];
  try {
    const api = await startSecond(options, second);
    const proxy = await balanceLoad([FIRST_PORT, api]);
    const target = join(dataFolder, "replicas.json");
    const described = JSON.parse(await readFile(join(dataFolder, "dev.json"), "utf8"));
    described.consumer.baseUrl = `http://127.0.0.1:${proxy.port}`;
    await writeFile(target, JSON.stringify(described), { mode: 0o600 });
    const suite = spawn(process.execPath, [...FLAGS, SUITE, "--target", target, ...parameters], { stdio: "inherit" });
    const [code] = (await once(suite, "exit")) as [number | null];
    console.log(`answered by: first API process ${proxy.counts[0]} connections, second ${proxy.counts[1]}`);
    proxy.close();
    return code ?? 1;
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
