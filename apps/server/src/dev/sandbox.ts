/**
 * The simulated providers of a sandbox deployment: enters the example applications and the registrations into the service's
 * database, starts the simulator behind the deployment's proxy, and writes URLs and keys to `sandbox.json` in the data folder.
 *
 * Reads the settings of the service and `SANDBOX_ORIGINS`, the origins of the proxy: https://{name}.localhost:8443, where
 * {name} is provider-a, provider-b, provider-c, simulator, issuer and app.
 */
import { join } from "node:path";
import { printableLines } from "@social-connect/contract";
import { bySlug, handleSignals } from "@social-connect/domain";
import { readSettings } from "../config/settings.ts";
import { openDatabase } from "../platform/database/database.ts";
import { requireMode } from "../platform/process/deploymentMode.ts";
import { writeOwnerFile } from "../platform/process/ownerFile.ts";
import { createSecretBox } from "../platform/secrets/secretBox.ts";
import { SystemClock } from "../platform/time/clock.ts";
import type { DevAddresses } from "./addresses.ts";
import { simulatorOptions } from "./childPlans.ts";
import { describeDevSetup } from "./devFile.ts";
import { readDevSecrets } from "./devSecrets.ts";
import { readEnteredOrigins, writeEnteredOrigins } from "./enteredOrigins.ts";
import { planPorts } from "./ports.ts";
import { loadSimulator } from "./processes/simulator.ts";
import { type SeedInput, seed } from "./seed.ts";

/** The ports of the simulator behind the proxy: 4401 and following, as those of `dev`. */
const FIRST_PORT = 4400;
const PLACEHOLDER = "{name}";

async function main(): Promise<void> {
  const settings = readSettings(process.env, { role: "both" });
  const template = process.env.SANDBOX_ORIGINS ?? "";
  if (settings.databaseUrl === null || settings.mode !== "sandbox" || !template.includes(PLACEHOLDER)) {
    throw new Error(
      `the simulator needs MODE=sandbox, DATABASE_URL, and SANDBOX_ORIGINS with ${PLACEHOLDER}, e.g. https://{name}.localhost:8443`,
    );
  }
  const at = (name: string) => template.replace(PLACEHOLDER, name);
  const addresses: DevAddresses = {
    server: settings.publicUrl,
    simulator: at("simulator"),
    providers: bySlug((provider) => at(provider)),
    issuer: at("issuer"),
    example: at("app"),
    otherApplication: at("other-app"),
    clock: "",
  };
  const { dataFolder } = settings;
  const secrets = await readDevSecrets(dataFolder);
  const entered = await readEnteredOrigins(dataFolder);
  const secretBox = createSecretBox(settings.encryptionKeys);
  await enter(settings.databaseUrl.reveal(), { addresses, entered, secrets, secretBox });
  await writeEnteredOrigins(dataFolder, addresses);

  const { startSimulator } = await loadSimulator();
  const simulator = await startSimulator({
    ...simulatorOptions({ ports: planPorts(FIRST_PORT), addresses, secrets, dataFolder }),
    host: settings.host,
    publicUrls: addresses,
  });
  const {
    databaseUrl: _,
    pid: __,
    processes: ___,
    ...file
  } = describeDevSetup({
    addresses,
    secrets,
    databaseUrl: "",
    hasMovableClock: false,
    eventSecret: null,
    processes: { api: null, worker: null, simulator: null, example: null, database: null },
  });
  await writeOwnerFile(join(dataFolder, "sandbox.json"), `${JSON.stringify(file, null, 2)}\n`);
  console.log(`the simulator is ready; URLs and keys are in ${join(dataFolder, "sandbox.json")}`);
  handleSignals(process, {
    nowMs: () => performance.now(),
    stop: () => void simulator.close().then(() => process.exit(0)),
    exit: () => process.exit(1),
    say: (line) => console.error(line),
  });
}

async function enter(url: string, input: Omit<SeedInput, "now">): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, applicationName: "social-connect sandbox", isPooled: true });
  try {
    await requireMode(database.pool, "sandbox");
    await seed(database, { ...input, now: await new SystemClock(database.pool).now() });
  } finally {
    await database.close();
  }
}

main().catch((error: Error) => {
  console.error(printableLines(error.message));
  process.exit(1);
});
