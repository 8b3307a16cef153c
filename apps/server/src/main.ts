import { setTimeout } from "node:timers/promises";
import { localEncryptionKeys } from "./config/localEncryptionKey.ts";
import type { Settings, SettingsOverrides } from "./config/settings.ts";
import { noAdminError, readSettings } from "./config/settings.ts";
import { createHttpHandler } from "./http/server.ts";
import { SYSTEM } from "./modules/admin/actor.ts";
import { ConflictError } from "./modules/admin/errors.ts";
import { addAdmin, addFirstAdmins } from "./modules/admins/addAdmin.ts";
import type { ReencryptCounts } from "./modules/encryption/reencryptStale.ts";
import { reencryptStale } from "./modules/encryption/reencryptStale.ts";
import type { Service } from "./modules/service.ts";
import { checkDatabase } from "./platform/checkDatabase.ts";
import { MovableClock, SystemClock } from "./platform/clock.ts";
import type { Database } from "./platform/database.ts";
import { databaseAnswers, openDatabase } from "./platform/database.ts";
import { startServiceDatabase } from "./platform/embeddedDatabase/serviceDatabase.ts";
import { lockFolder } from "./platform/folderLock.ts";
import { listen } from "./platform/httpListener.ts";
import type { Logger } from "./platform/logger.ts";
import { createLogger } from "./platform/logger.ts";
import { applyMigrations } from "./platform/migrations.ts";
import { createSecretBox } from "./platform/secretBox.ts";
import { securityLog } from "./platform/securityLog.ts";
import { Shutdown } from "./platform/shutdown.ts";
import { providerAdapter } from "./providers/registry/registry.ts";
import { prepareTaskQueues } from "./worker/boss.ts";
import { createTaskQueue } from "./worker/taskQueue.ts";
import { startWorker } from "./worker/worker.ts";

/** Room that a stop leaves for closing connections after the work in hand has ended or was handed back. */
const CLOSING_MS = 2_000;
const INSPECTION_MS = 10 * 60_000;

/** A service that has started. */
export interface RunningServer {
  /** Where the API listens; null for a process that only works. */
  readonly address: string | null;
  /** Readiness goes off first, then what is in hand ends or is handed back, then connections close. Safe to call twice. */
  stop(): Promise<void>;
}

/** Reads the settings from the environment; the only place besides the command line that looks there. */
export function settingsFromEnvironment(overrides: SettingsOverrides = {}): Settings {
  return readSettings(process.env, overrides);
}

/** Builds the service out of its settings and starts its roles. When anything fails, what was started is ended again. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const logger = createLogger({ level: settings.logLevel, role: settings.role });
  const shutdown = new Shutdown();
  shutdown.add(async () => securityLog({ logger }).flush());
  const end = () => shutdown.run((error) => logger.error({ err: error }, "a part did not end in order"));
  try {
    const databaseUrl = await prepareDatabase(settings, shutdown);
    const database = openDatabase({
      url: databaseUrl,
      poolSize: settings.databasePoolSize,
      applicationName: `social-connect ${settings.role}`,
      logger,
    });
    shutdown.add(() => database.close());
    await prepareTaskQueues(database.pool);
    const service = await createService(settings, database, logger);
    await addFirstAdmins(service, settings.adminEmails);
    if (settings.mode === "live" && (await database.prisma.adminMember.count()) === 0) throw noAdminError();

    if (settings.role !== "api") {
      const worker = await startWorker(service, { stopTimeoutMs: settings.shutdownTimeoutMs - CLOSING_MS });
      shutdown.add(() => worker.stop());
    }
    const address = settings.role === "worker" ? null : await serve(settings, service, shutdown);
    logger.info({ address, mode: settings.mode }, "started");
    let stopping: Promise<void> | undefined;
    return {
      address,
      stop: () => {
        stopping ??= end();
        return stopping;
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** `social-connect migrate`: brings the database up to date and ends. */
export async function migrate(settings: Settings): Promise<readonly string[]> {
  const shutdown = new Shutdown();
  try {
    const url = await reachDatabase(settings, shutdown);
    const applied = await applyMigrations(url);
    const database = openDatabase({ url, poolSize: 2, applicationName: "social-connect migrate" });
    shutdown.add(() => database.close());
    await prepareTaskQueues(database.pool);
    return applied;
  } finally {
    await shutdown.run((error) => console.error(error));
  }
}

/** Opens the database of a deployment for a look, and closes it again. Brings nothing up to date, starts no role. */
export async function inspect<T>(settings: Settings, look: (database: Database) => Promise<T>): Promise<T> {
  const shutdown = new Shutdown();
  try {
    const url = await reachDatabase(settings, shutdown);
    const applicationName = "social-connect inspect";
    // A look goes through whole tables, which takes as long as it takes.
    const database = openDatabase({ url, poolSize: 1, applicationName, statementTimeoutMs: INSPECTION_MS });
    shutdown.add(() => database.close());
    return await look(database);
  } finally {
    await shutdown.run((error) => console.error(error));
  }
}

/** `social-connect rotate-encryption`: brings what other keys sealed under the first one and ends; safe beside a running service. */
export async function rotateEncryption(settings: Settings): Promise<ReencryptCounts> {
  const logger = createLogger({ level: settings.logLevel, role: "rotate-encryption" });
  const shutdown = new Shutdown();
  try {
    const url = await prepareDatabase(settings, shutdown);
    const database = openDatabase({ url, poolSize: 2, applicationName: "social-connect rotate-encryption", logger });
    shutdown.add(() => database.close());
    return await reencryptStale(await createService(settings, database, logger));
  } finally {
    await shutdown.run((error) => console.error(error));
  }
}

/**
 * `social-connect admin add`: puts an e-mail address on the list of admins, on a database that is brought up to date first.
 * False when it stands there already.
 */
export async function addAdminToDeployment(settings: Settings, email: string): Promise<boolean> {
  const shutdown = new Shutdown();
  try {
    const url = await prepareDatabase(settings, shutdown);
    const { pool, prisma, close } = openDatabase({ url, poolSize: 2, applicationName: "social-connect admin" });
    shutdown.add(close);
    // A clock that nobody moved tells the system's time.
    await addAdmin({ prisma, clock: new MovableClock(pool) }, SYSTEM, email);
    return true;
  } catch (error) {
    if (error instanceof ConflictError && error.reason === "ALREADY_PRESENT") return false;
    throw error;
  } finally {
    await shutdown.run((error) => console.error(error));
  }
}

async function createService(settings: Settings, database: Database, logger: Logger): Promise<Service> {
  const { pool, prisma } = database;
  const clock = settings.movableClock ? new MovableClock(pool) : new SystemClock(pool);
  const keys =
    settings.encryptionKeys.length > 0
      ? settings.encryptionKeys
      : (await localEncryptionKeys(settings.dataFolder)).keys;
  return {
    mode: settings.mode,
    connectHost: settings.publicUrl,
    adminHost: settings.adminUrl,
    trustedProxies: settings.trustedProxies,
    previewOriginTemplate: settings.previewOriginTemplate,
    issuer: settings.issuer,
    pool,
    prisma,
    clock,
    jitter: settings.jitter === null ? Math.random : () => settings.jitter ?? 0,
    secretBox: createSecretBox(keys),
    logger,
    queue: createTaskQueue(pool, clock),
    provider: providerAdapter,
  };
}

async function serve(settings: Settings, service: Service, shutdown: Shutdown): Promise<string> {
  let isStopping = false;
  const handler = createHttpHandler({
    service,
    isReady: async () => !isStopping && (await databaseAnswers(service.pool)),
    panelFolder: settings.panelFolder,
  });
  const listener = await listen(handler, settings.host, settings.port);
  shutdown.add(() => {
    isStopping = true;
    return listener.close(settings.shutdownTimeoutMs - CLOSING_MS, setTimeout(settings.drainMs));
  });
  return listener.address;
}

async function prepareDatabase(settings: Settings, shutdown: Shutdown): Promise<string> {
  const url = await reachDatabase(settings, shutdown);
  await applyMigrations(url);
  return url;
}

/** The database that the settings name, or the embedded one of the data folder, which is then this process's alone. */
async function reachDatabase(settings: Settings, shutdown: Shutdown): Promise<string> {
  if (settings.databaseUrl !== null) {
    await checkDatabase(settings.databaseUrl.reveal(), { requireTls: settings.requireDatabaseTls });
    return settings.databaseUrl.reveal();
  }
  const lock = await lockFolder(settings.dataFolder);
  shutdown.add(() => lock.release());
  const embedded = await startServiceDatabase(settings.dataFolder, settings.embeddedDatabasePort);
  shutdown.add(() => embedded.stop());
  return embedded.url;
}
