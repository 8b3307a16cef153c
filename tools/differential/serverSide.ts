import { readFile } from "node:fs/promises";
import type { DevFile } from "../../apps/server/src/dev/devFile.ts";
import { planPorts } from "../../apps/server/src/dev/ports.ts";
import { openClockControl } from "../../packages/conformance/src/target/clockControl.ts";
import { openIssuer } from "../../packages/conformance/src/target/issuer.ts";
import { requestJson } from "../../packages/conformance/src/target/panelOverHttp.ts";
import { openSimulator } from "../../packages/conformance/src/target/simulator.ts";
import { startTemporaryServer } from "../../packages/testkit/src/harness/temporaryServer.ts";
import { ACCOUNTS_AGE_MS } from "./mockSide.ts";
import type { Leader } from "./perform/side.ts";
import { ServerDatabase } from "./serverDatabase.ts";

/** The same for each run if possible, because recorded answers name ports. */
const PREFERRED_PORT = 5_800;

export interface ServerSide extends Leader {
  readonly previewTemplate: string;
}

/** The server in a development environment on temporary data. */
export async function openServerSide(jitter: number): Promise<ServerSide> {
  const { devFile, firstPort, stop } = await startTemporaryServer({ preferredPort: PREFERRED_PORT, jitter });
  const file = JSON.parse(await readFile(devFile, "utf8")) as DevFile;
  return openFrom(file, `http://{label}.preview.localhost:${planPorts(firstPort).example}`, stop);
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
