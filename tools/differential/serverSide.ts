import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDev } from "../../apps/server/src/dev/dev.ts";
import type { DevFile } from "../../apps/server/src/dev/devFile.ts";
import { devFilePath } from "../../apps/server/src/dev/devFile.ts";
import { findTakenPorts, planPorts } from "../../apps/server/src/dev/ports.ts";
import { openClockControl } from "../../packages/conformance/src/target/clockControl.ts";
import { openIssuer } from "../../packages/conformance/src/target/issuer.ts";
import { requestJson } from "../../packages/conformance/src/target/requestJson.ts";
import { openSimulator } from "../../packages/conformance/src/target/simulator.ts";
import { ACCOUNTS_AGE_MS } from "./mockSide.ts";
import type { Leader } from "./perform/side.ts";
import { ServerDatabase } from "./serverDatabase.ts";

const FIRST_PORTS = Array.from({ length: 20 }, (_, index) => 5_800 + 10 * index);

export interface ServerSide extends Leader {
  readonly previewTemplate: string;
}

/** The development environment of the server, with workers, simulator and database, on temporary data. */
export async function openServerSide(jitter: number): Promise<ServerSide> {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-differential-"));
  const firstPort = await findFirstPort();
  const setup = await startDev({
    firstPort,
    dataFolder,
    jitter,
    hasMovableClock: true,
    hasPanel: false,
    isVerbose: false,
    databaseUrl: null,
    signal: new AbortController().signal,
  });
  const stop = async () => {
    await setup.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    const file = JSON.parse(await readFile(devFilePath(dataFolder), "utf8")) as DevFile;
    return await openFrom(file, `http://{label}.preview.localhost:${planPorts(firstPort).example}`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openFrom(file: DevFile, previewTemplate: string, stop: () => Promise<void>): Promise<ServerSide> {
  const { clockUrl, connectHost, databaseUrl, issuerUrl, simulatorUrl } = file;
  if (clockUrl === null) throw new Error("The environment has no movable clock.");
  const clock = openClockControl(clockUrl);
  const database = new ServerDatabase(databaseUrl);
  await clock.advance(ACCOUNTS_AGE_MS);
  await database.quiesce();
  await database.remember();
  return {
    name: "server",
    baseUrl: connectHost,
    previewTemplate,
    fetch: globalThis.fetch,
    provider: openSimulator(simulatorUrl),
    identity: openIssuer(issuerUrl, simulatorUrl),
    addresses: {
      [issuerUrl]: "{issuer}",
      [connectHost]: "{service}",
      [simulatorUrl]: "{provider}",
      "client id social…": "{client}",
    },
    now: () => clock.now(),
    begin: async () => {
      await database.quiesce();
      await database.restore();
      await requestJson(`${simulatorUrl}/__sim/reset`, "POST", {});
      await requestJson(`${simulatorUrl}/__sim/clock`, "POST", { set: (await clock.now()).toISOString() });
    },
    quiesce: () => database.quiesce(),
    advance: (ms) => clock.advance(ms),
    close: async () => {
      await database.close();
      await stop();
    },
  };
}

async function findFirstPort(): Promise<number> {
  for (const first of FIRST_PORTS) {
    const ports = planPorts(first);
    const taken = await findTakenPorts(ports, Object.keys(ports) as (keyof typeof ports)[]);
    if (taken.length === 0) return first;
  }
  throw new Error(`There are no free ports for a server between ${FIRST_PORTS[0]} and ${FIRST_PORTS.at(-1)}.`);
}
