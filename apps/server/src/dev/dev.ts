import { extname, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PROVIDER_SLUGS } from "@social-connect/domain";
import { localEncryptionKeys } from "../config/localEncryptionKey.ts";
import { type ClientEntries, isEmpty, NO_ENTRIES } from "../modules/clients/clientEntries.ts";
import { checkDatabase } from "../platform/database/checkDatabase.ts";
import { openDatabase } from "../platform/database/database.ts";
import { applyMigrations } from "../platform/database/migrations.ts";
import { withSession } from "../platform/database/session.ts";
import { findBinaries } from "../platform/embeddedDatabase/binaries.ts";
import { startServiceDatabase } from "../platform/embeddedDatabase/serviceDatabase.ts";
import { stopLeftoverDatabase } from "../platform/embeddedDatabase/start.ts";
import { recordMode, requireMode } from "../platform/process/deploymentMode.ts";
import { lockFolder } from "../platform/process/folderLock.ts";
import { Shutdown } from "../platform/process/shutdown.ts";
import { createSecretBox } from "../platform/secrets/secretBox.ts";
import { SystemClock } from "../platform/time/clock.ts";
import { prepareTaskQueues } from "../worker/boss.ts";
import { planAddresses } from "./addresses.ts";
import { checkEnvironmentFile, writeEnvironmentFile } from "./applicationEnvironment.ts";
import { type PlanInput, type PlanOptions, planOthers, planSimulator } from "./childPlans.ts";
import { startClockControl } from "./clockControl.ts";
import { createConsole } from "./console.ts";
import { describeDevSetup, removeDevFile, writeDevFile } from "./devFile.ts";
import { readDevSecrets } from "./devSecrets.ts";
import { readEnteredOrigins, writeEnteredOrigins } from "./enteredOrigins.ts";
import { type OwnClient, ownEnvironment } from "./ownEnvironment.ts";
import { describeTakenPorts, findTakenPorts, type PortName, type Ports, planPorts } from "./ports.ts";
import { DatabaseSupervisor } from "./processes/databaseSupervisor.ts";
import { ProcessSupervisor } from "./processes/processSupervisor.ts";
import { waitUntilItAnswers } from "./processes/waitUntilItAnswers.ts";
import { DEMO_APPLICATION } from "./seedData.ts";

export interface DevOptions extends PlanOptions {
  readonly firstPort: number;
  /** Whether to serve the admin panel, built when its sources have changed. */
  readonly hasPanel: boolean;
  /** null: the embedded database in the data folder. */
  readonly databaseUrl: string | null;
  /** What to register for the first client, which an integrator's own application uses. */
  readonly client?: ClientEntries;
  /** The URL of that application that receives its events; absent: none. */
  readonly eventsUrl?: string;
  /** The file to write the environment variables of that application to; null: none. */
  readonly environmentFile?: string | null;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

/** How long the processes of a killed supervisor may take to exit. */
const LEFTOVER_TIMEOUT_MS = 12_000;
const READY_TIMEOUT_MS = 60_000;

/**
 * Starts a development environment and writes `dev.json` once everything responds. If anything fails, or the start is
 * aborted, what was started is stopped again. `failed` resolves when the environment cannot continue, with the reason.
 */
export async function startDev(options: DevOptions) {
  const shutdown = new Shutdown();
  const say = createConsole(options.isVerbose, resolve(options.dataFolder));
  const stop = () => shutdown.run(say.failure);
  let fail = (_: Error): void => undefined;
  const failed = new Promise<Error>((done) => {
    fail = done;
  });
  try {
    await start({ ...options, dataFolder: resolve(options.dataFolder) }, { shutdown, say, fail });
  } catch (error) {
    await stop();
    if (!options.signal.aborted) throw error;
  }
  return { failed, stop };
}

interface Surroundings {
  readonly shutdown: Shutdown;
  readonly say: ReturnType<typeof createConsole>;
  readonly fail: (error: Error) => void;
}

async function start(options: DevOptions, { shutdown, say, fail }: Surroundings): Promise<void> {
  const { dataFolder, signal, client = NO_ENTRIES, environmentFile = null } = options;
  if (environmentFile !== null) await checkEnvironmentFile(environmentFile);
  const lock = await lockFolder(dataFolder, { isShared: true });
  shutdown.add(() => lock.release());
  await removeDevFile(dataFolder);
  const ports = planPorts(options.firstPort);
  await makeRoom(options, ports, lock.wasAbandoned);
  // A missing database is refused before anything is announced.
  if (options.databaseUrl === null) await findBinaries();
  say.starting();

  const addresses = planAddresses(ports);
  const secrets = await readDevSecrets(dataFolder);
  // A panel that cannot be built is reported, also on its page; nothing else needs it.
  const tell = (error: unknown): null => {
    say.failure(error);
    return null;
  };
  // In parallel with the database, which it does not need.
  const panel = options.hasPanel ? await beginPanelBuild().catch(tell) : null;
  const plan: PlanInput = { ...options, ports, addresses, secrets, panelFolder: panel?.folder ?? null };
  signal.throwIfAborted();
  const database = await reachDatabase(options, ports, shutdown);

  const processes = new ProcessSupervisor({ onLine: say.line, onRestart: say.restart });
  shutdown.add(() => processes.stop());
  processes.start(planSimulator(plan));
  const { encryptionKeys, seeded } = await prepareDatabase(database.url, plan, shutdown);
  const registered = isEmpty(client) ? seeded : await register(database.url, client);
  const { eventsUrl } = options;
  const eventSecret = eventsUrl === undefined ? null : await registerEvents(database.url, encryptionKeys, eventsUrl);
  for (const child of planOthers(plan, database.url, encryptionKeys)) processes.start(child);
  await processes.ready();
  const { server, simulator, issuer, example } = addresses;
  await Promise.all(
    [`${server}/readyz`, simulator, issuer, example].map((url) => waitUntilItAnswers(url, READY_TIMEOUT_MS)),
  );
  await panel?.built.catch(tell);
  signal.throwIfAborted();

  const describe = () =>
    describeDevSetup({
      addresses,
      secrets,
      databaseUrl: database.url,
      hasMovableClock: options.hasMovableClock,
      eventSecret,
      processes: { ...processes.pids(), database: database.embedded?.pid ?? null },
    });
  const writeDown = () => writeDevFile(dataFolder, describe());
  // One after another, so that the file ends with the newest state.
  let written = writeDown();
  await written;
  const onPidChanged = (): void => {
    written = written.then(writeDown).catch(say.failure);
  };
  processes.onPidsChanged(onPidChanged);
  void database.embedded?.watch({
    onRestart: say.databaseRestart,
    onRestarted: say.databaseRestarted,
    onFailure: fail,
    onPidChanged,
  });
  shutdown.add(async () => {
    processes.onPidsChanged(null);
    await written;
    await removeDevFile(dataFolder);
  });
  say.ready(addresses, options);
  const environment = ownEnvironment(describe(), registered, client);
  if (environmentFile !== null) await writeEnvironmentFile(environmentFile, environment);
  say.ownApplication(environment, environmentFile);
}

/** Registers where an integrator's own application runs. Returns the client. */
async function register(databaseUrl: string, entries: ClientEntries): Promise<OwnClient> {
  const [{ addClientEntries }, { operateDev }] = await Promise.all([
    import("../modules/clients/changeEntries.ts"),
    import("./operateDev.ts"),
  ]);
  return operateDev(databaseUrl, (service) => addClientEntries(service, DEMO_APPLICATION.slug, entries));
}

async function registerEvents(databaseUrl: string, encryptionKeys: string, url: string): Promise<string> {
  const { sendEvents } = await import("./sendEvents.ts");
  return sendEvents(databaseUrl, encryptionKeys, url);
}

/** Checks that all ports are free before anything is started. */
async function makeRoom(options: DevOptions, ports: Ports, afterKill: boolean): Promise<void> {
  const needed: PortName[] = ["server", "simulator", "issuer", "example", ...PROVIDER_SLUGS];
  if (options.databaseUrl === null) needed.push("database");
  if (options.hasMovableClock) needed.push("clock");
  await stopLeftoverDatabase(options.dataFolder);
  let taken = await findTakenPorts(ports, needed);
  // The processes of a killed supervisor detect that and exit shortly afterwards.
  for (let waitedMs = 0; afterKill && taken.length > 0 && waitedMs < LEFTOVER_TIMEOUT_MS; waitedMs += 250) {
    await setTimeout(250);
    taken = await findTakenPorts(ports, taken);
  }
  if (taken.length > 0) throw new Error(describeTakenPorts(ports, taken));
}

async function reachDatabase(
  options: DevOptions,
  ports: Ports,
  shutdown: Shutdown,
): Promise<{ readonly url: string; readonly embedded: DatabaseSupervisor | null }> {
  if (options.databaseUrl !== null) {
    await checkDatabase({ url: options.databaseUrl, directUrl: null }, { requireTls: false });
    return { url: options.databaseUrl, embedded: null };
  }
  const embedded = new DatabaseSupervisor(() => startServiceDatabase(options.dataFolder, ports.database));
  const url = await embedded.start();
  shutdown.add(() => embedded.stop());
  return { url, embedded };
}

/** Tables, queues and seed data; returns the encryption keys for the service's processes, and the first client. */
async function prepareDatabase(
  url: string,
  plan: PlanInput,
  shutdown: Shutdown,
): Promise<{ readonly encryptionKeys: string; readonly seeded: OwnClient }> {
  const { addresses, secrets, ports } = plan;
  await withSession(url, "mode", (session) => requireMode(session, "sandbox"));
  await applyMigrations(url);
  const database = openDatabase({ url, poolSize: 3, applicationName: "social-connect dev" });
  shutdown.add(() => database.close());
  await prepareTaskQueues(database.pool);
  // On a busy machine this import blocks the process for longer than a connection may take, so it comes first.
  const { seed } = await import("./seed.ts");
  const [keys, now] = await Promise.all([localEncryptionKeys(plan.dataFolder), new SystemClock(database.pool).now()]);
  const entered = await readEnteredOrigins(plan.dataFolder);
  await recordMode(database.pool, "sandbox", now);
  const { applicationName } = plan;
  const secretBox = createSecretBox(keys.keys);
  await seed(database, { addresses, entered, secrets, secretBox, now, ...(applicationName && { applicationName }) });
  await writeEnteredOrigins(plan.dataFolder, addresses);
  if (plan.hasMovableClock) {
    const control = await startClockControl(database, ports.clock, addresses.simulator);
    shutdown.add(() => control.close(1_000));
  }
  const seeded = await database.prisma.application.findUniqueOrThrow({ where: { slug: DEMO_APPLICATION.slug } });
  return { encryptionKeys: keys.text, seeded };
}

interface PanelBuild {
  readonly folder: string;
  /** Rejects when the build fails. */
  readonly built: Promise<void>;
}

/** The panel's path in a clone of the repository. */
interface PanelSources {
  readonly beginPanelBuild: () => Promise<PanelBuild>;
}

/**
 * Starts to build the admin panel from its current sources, which is instant when they have not changed. null in the
 * published package, which contains the built panel. Found by path: the panel's sources are not part of the package.
 */
async function beginPanelBuild(): Promise<PanelBuild | null> {
  if (extname(import.meta.url) !== ".ts") return null;
  const sources = new URL("../../../panel/src/build/ensurePanelBuilt.ts", import.meta.url);
  return ((await import(sources.href)) as PanelSources).beginPanelBuild();
}
