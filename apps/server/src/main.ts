import { setTimeout } from "node:timers/promises";
import { ConflictError } from "@social-connect/domain";
import type pg from "pg";
import { callLimits } from "./config/callLimits.ts";
import { localEncryptionKeys } from "./config/localEncryptionKey.ts";
import type { Settings, SettingsOverrides } from "./config/settings.ts";
import { noAdminError, readSettings } from "./config/settings.ts";
import { FREQUENT_READS } from "./graphql/consumer/frequentReads.ts";
import type { CallLanes } from "./graphql/shared/callLanes.ts";
import type { HttpDependencies } from "./http/server.ts";
import { SYSTEM } from "./modules/admin/actor.ts";
import { addAdmin, addFirstAdmins } from "./modules/admins/addAdmin.ts";
import { requireCorrectKeys } from "./modules/encryption/keyChecks.ts";
import type { ReencryptCounts } from "./modules/encryption/reencryptStale.ts";
import { reencryptStale } from "./modules/encryption/reencryptStale.ts";
import type { Service } from "./modules/service.ts";
import { startObservability } from "./observability/observability.ts";
import type { ProcessOperations } from "./observability/operations.ts";
import { serveOperations } from "./observability/operations.ts";
import type { DatabaseAddresses } from "./platform/checkDatabase.ts";
import { checkDatabase } from "./platform/checkDatabase.ts";
import { MovableClock, SystemClock } from "./platform/clock.ts";
import type { Database, DatabaseOptions } from "./platform/database.ts";
import { databaseAnswers, openDatabase } from "./platform/database.ts";
import { startServiceDatabase } from "./platform/embeddedDatabase/serviceDatabase.ts";
import { hasEmbeddedDatabase } from "./platform/embeddedDatabase/start.ts";
import { lockFolder } from "./platform/folderLock.ts";
import { listen } from "./platform/httpListener.ts";
import type { Logger } from "./platform/logger.ts";
import { createErasureLogger, createLogger, createRequestLogger, standardOutput } from "./platform/logger.ts";
import { applyMigrations, pendingMigrations } from "./platform/migrations.ts";
import { nameSome } from "./platform/nameSome.ts";
import type { EncryptionKey } from "./platform/secretBox.ts";
import { createSecretBox, LOCKED_BOX } from "./platform/secretBox.ts";
import { securityLog } from "./platform/securityLog.ts";
import { Shutdown } from "./platform/shutdown.ts";
import type { Telemetry } from "./platform/telemetry.ts";
import { NO_TELEMETRY } from "./platform/telemetry.ts";
import { collectGarbage, setV8Options } from "./platform/v8.ts";
import { ProviderBreakers } from "./providers/breakers.ts";
import { providerAdapter } from "./providers/registry/registry.ts";
import { findQueueProblem, prepareTaskQueues } from "./worker/boss.ts";
import { createTaskQueue } from "./worker/taskQueue.ts";
import type { RunningWorker } from "./worker/worker.ts";

/** Time that a shutdown reserves for closing connections after in-flight work has finished or was requeued. */
const CLOSING_MS = 2_000;
/** How long a replaced process answers on its open connections, so that clients close them between two requests. */
const KEEP_ALIVE_DRAIN_MS = 1_000;
/** Until what a start begins in the background has finished. */
const SETTLED_MS = 10_000;
const INSPECTION_MS = 10 * 60_000;

/** A running service. */
export interface RunningServer {
  /** The URL of the API; null for a process that only runs jobs. */
  readonly address: string | null;
  /** Metrics and readiness, for a supervisor that serves them for all processes; null without `METRICS_PORT`. */
  readonly operations: ProcessOperations | null;
  /**
   * Readiness fails first, then in-flight work finishes or is requeued, then connections close. Safe to call twice.
   * `isReplaced`: another process serves the same port already, so readiness does not fail.
   */
  stop(options?: { readonly isReplaced?: boolean }): Promise<void>;
}

/** The stage of a process between its start and its end. */
interface Stage {
  isStarted: boolean;
  isStopping: boolean;
  /** Another process serves the same port already. */
  isReplaced: boolean;
}

/** Parses the environment; besides the command line, the only place that reads it. */
export function settingsFromEnvironment(overrides: SettingsOverrides = {}): Settings {
  return readSettings(process.env, overrides);
}

/** Builds the service from its settings and starts its roles. If anything fails, the started components are shut down. */
export function startServer(settings: Settings): Promise<RunningServer> {
  return startObservedServer(settings, startObservability);
}

/** For a benchmark, which observes the process in its own way. The package does not export it, nor its types. */
export async function startObservedServer(
  settings: Settings,
  observe: typeof startObservability,
): Promise<RunningServer> {
  setV8Options();
  const log = { level: settings.logLevel, role: settings.role, destination: standardOutput() };
  const logger = createLogger(log);
  const shutdown = new Shutdown();
  shutdown.add(async () => securityLog({ logger }).flush());
  const end = () => shutdown.run((error) => logger.error({ err: error }, "component failed to shut down cleanly"));
  const stage: Stage = { isStarted: false, isStopping: false, isReplaced: false };
  try {
    const loggers = { logger, requestLogger: createRequestLogger(log), erasureLogger: createErasureLogger(log) };
    const observability = await observe(settings, loggers);
    const { telemetry, metrics } = observability;
    shutdown.add(() => observability.stop());
    let isReady = async () => false;
    const operations = metrics && { metrics, isReady: () => isReady() };
    await serveOwnOperations(settings, operations, shutdown);

    const addresses = await reachDatabase(settings, shutdown);
    await prepareMigrations(settings, sessionUrl(addresses));
    const connections = openConnections(settings, addresses, logger, telemetry.tracing);
    for (const { close } of new Set(Object.values(connections))) shutdown.add(close);
    const { database, reads, readiness, direct } = connections;
    await prepareQueues(settings, direct);
    const keys = await encryptionKeysOf(settings);
    const service = createService(settings, connections, { logger, telemetry, secretBox: createSecretBox(keys) });
    await requireCorrectKeys(service, keys);
    const counts = observability.writeCounts(service);
    shutdown.add(() => counts.stop());
    await addFirstAdmins(service, settings.adminEmails);
    if (settings.mode === "live" && (await database.prisma.adminMember.count()) === 0) throw noAdminError();
    isReady = async () => stage.isStarted && !stage.isStopping && (await databaseAnswers(readiness.pool));
    const lanes = settings.role === "worker" ? null : await openLanes(settings, service);
    observability.watch({
      service,
      isReady: () => isReady(),
      dataFolder: settings.databaseUrl === null ? settings.dataFolder : null,
      pools: { writes: database.pool, reads: reads.pool, hot_reads: reads.hotPool, readiness: readiness.pool },
      databaseErrors: [...new Set(Object.values(connections))].map(({ errors }) => errors),
      limiters: lanes ? { query: lanes.query.limiter, mutation: lanes.mutation.limiter } : {},
      adminLimiters: lanes ? { admin: lanes.admin.limiter } : {},
    });

    const worker = settings.role === "api" ? null : await runWorker(settings, service, direct.pool);
    if (worker !== null) shutdown.add(() => worker.stop());
    const address = lanes && (await serve(settings, { service, lanes, isReady: () => isReady() }, shutdown, stage));
    stage.isStarted = true;
    logger.info({ address, mode: settings.mode }, "started");
    const cancelCollection = service.clock.after(SETTLED_MS, collectGarbage);
    shutdown.add(async () => cancelCollection());
    let stopping: Promise<void> | undefined;
    return {
      address,
      operations,
      stop: ({ isReplaced = false } = {}) => {
        Object.assign(stage, { isReplaced, isStopping: !isReplaced });
        // While calls finish. The shutdown waits for it, too, and reports its failure.
        worker?.stop().catch(() => undefined);
        stopping ??= end();
        return stopping;
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Liveness answers while the process starts. Of several processes behind one port, the supervisor serves it. */
async function serveOwnOperations(
  { operations: address, processes }: Settings,
  operations: ProcessOperations | null,
  shutdown: Shutdown,
): Promise<void> {
  if (address === null || operations === null || processes > 1) return;
  const own = { ...operations, metrics: () => operations.metrics({ withState: true }) };
  const listener = await serveOperations(own, address.host, address.port);
  shutdown.add(() => listener.close(0));
}

/** Runs work on the database of a deployment that needs a session. Applies no migration and starts no role. */
export async function withSessionUrl<T>(
  settings: Settings,
  work: (url: string, shutdown: Shutdown) => Promise<T>,
): Promise<T> {
  const shutdown = new Shutdown();
  try {
    return await work(sessionUrl(await reachDatabase(settings, shutdown)), shutdown);
  } finally {
    await shutdown.run((error) => console.error(error));
  }
}

/** The same with the database open, until the work ends. */
function withDatabase<T>(
  settings: Settings,
  options: Omit<DatabaseOptions, "url">,
  work: (database: Database, url: string) => Promise<T>,
): Promise<T> {
  return withSessionUrl(settings, (url, shutdown) => {
    const database = openDatabase({ ...options, url });
    shutdown.add(database.close);
    return work(database, url);
  });
}

/** `social-connect migrate`: applies database migrations and exits. */
export async function migrate(settings: Settings): Promise<readonly string[]> {
  const options = { poolSize: 2, applicationName: "social-connect migrate" };
  return withDatabase(settings, options, async ({ pool }, url) => {
    const applied = await applyMigrations(url);
    await prepareTaskQueues(pool);
    return applied;
  });
}

/** Opens the database of a deployment for inspection and closes it again. Applies no migration and starts no role. */
export async function inspect<T>(settings: Settings, look: (database: Database) => Promise<T>): Promise<T> {
  // An inspection reads whole tables.
  await requireDatabase(settings);
  const options = { poolSize: 1, applicationName: "social-connect inspect", statementTimeoutMs: INSPECTION_MS };
  return withDatabase(settings, options, look);
}

export interface OperatorAccess {
  readonly service: Service;
  /** Empty without encryption keys. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** The database without its pooler. */
  readonly url: string;
}

/** Runs an operator's command with the service's use cases. Applies no migration. */
export async function openForOperator<T>(
  settings: Settings,
  keys: "with encryption keys" | "without encryption keys",
  work: (access: OperatorAccess) => Promise<T>,
): Promise<T> {
  await requireDatabase(settings);
  const logger = createLogger({ level: settings.logLevel, role: "operator" });
  const options = { poolSize: 2, applicationName: "social-connect operator", logger };
  return withDatabase(settings, options, async (database, url) => {
    const encryptionKeys = keys === "with encryption keys" ? await encryptionKeysOf(settings) : [];
    const secretBox = encryptionKeys.length > 0 ? createSecretBox(encryptionKeys) : LOCKED_BOX;
    const parts = { logger, telemetry: NO_TELEMETRY, secretBox };
    // A clock that was not moved reports the system's time.
    const service = createService({ ...settings, movableClock: true }, { database, reads: database }, parts);
    return work({ service, encryptionKeys, url });
  });
}

/** The same on a database that has all migrations; the command neither encrypts nor decrypts. */
export async function operate<T>(settings: Settings, work: (service: Service) => Promise<T>): Promise<T> {
  return openForOperator(settings, "without encryption keys", async ({ service, url }) => {
    requireMigrated(await pendingMigrations(url));
    return work(service);
  });
}

/**
 * `social-connect rotate-encryption`: re-encrypts stored values with the newest key and exits; safe while the service
 * runs.
 */
export async function rotateEncryption(settings: Settings): Promise<ReencryptCounts> {
  const logger = createLogger({ level: settings.logLevel, role: "rotate-encryption" });
  const options = { poolSize: 2, applicationName: "social-connect rotate-encryption", logger };
  return withDatabase(settings, options, async (database, url) => {
    await prepareMigrations(settings, url);
    const keys = await encryptionKeysOf(settings);
    const parts = { logger, telemetry: NO_TELEMETRY, secretBox: createSecretBox(keys) };
    const service = createService(settings, { database, reads: database }, parts);
    await requireCorrectKeys(service, keys);
    return reencryptStale(service);
  });
}

/**
 * `social-connect admin add`: adds an email address to the list of admins, after applying database migrations. False
 * when it is already on the list.
 */
export async function addAdminToDeployment(settings: Settings, email: string): Promise<boolean> {
  const options = { poolSize: 2, applicationName: "social-connect admin" };
  try {
    await withDatabase(settings, options, async ({ pool, prisma }, url) => {
      await prepareMigrations(settings, url);
      // A clock that was not moved reports the system's time.
      await addAdmin({ prisma, clock: new MovableClock(pool) }, SYSTEM, email);
    });
    return true;
  } catch (error) {
    if (error instanceof ConflictError && error.reason === "ALREADY_PRESENT") return false;
    throw error;
  }
}

/** Statements of the reads' connections. A migration holds its locks for at most 2 seconds, which a read waits for. */
const READS = { statementTimeoutMs: 5_000, lockTimeoutMs: 2_500 } as const;
const READINESS = { poolSize: 1, statementTimeoutMs: 2_000, connectTimeoutMs: 2_000 } as const;

interface Connections {
  /** For writes and jobs, which may wait for locks and for each other. */
  readonly database: Database;
  /** For short reads. */
  readonly reads: Database;
  readonly readiness: Database;
  /** For the task queue, which listens for new tasks: without a pooler. */
  readonly direct: Database;
}

/** Separate pools, so that a locked table or a busy worker does not take reads and readiness with it. */
function openConnections(
  settings: Settings,
  { url, directUrl }: DatabaseAddresses,
  logger: Logger,
  tracing: Telemetry["tracing"],
): Connections {
  const applicationName = `social-connect ${settings.role}`;
  const isPooled = directUrl !== null;
  const common = { url, isPooled, logger };
  const database = openDatabase({ ...common, tracing, applicationName, poolSize: settings.databasePoolSize });
  const reads = { ...READS, applicationName: `${applicationName} reads`, poolSize: settings.readPoolSize };
  return {
    database,
    reads: openDatabase({ ...common, tracing, ...reads }),
    readiness: openDatabase({ ...common, ...READINESS, applicationName: `${applicationName} readiness` }),
    direct: isPooled ? openDatabase({ url: directUrl, poolSize: 1, applicationName, logger }) : database,
  };
}

function createService(
  settings: Settings,
  { database, reads }: Pick<Connections, "database" | "reads">,
  parts: Pick<Service, "logger" | "telemetry" | "secretBox">,
): Service {
  const { pool, prisma } = database;
  const clock = settings.movableClock ? new MovableClock(reads.pool) : new SystemClock(reads.pool);
  return {
    mode: settings.mode,
    connectHost: settings.publicUrl,
    adminHost: settings.adminUrl,
    trustedProxies: settings.trustedProxies,
    previewOriginTemplate: settings.previewOriginTemplate,
    issuer: settings.issuer,
    pool,
    prisma,
    reads,
    hotReads: reads.hotReads,
    clock,
    jitter: settings.jitter === null ? Math.random : () => settings.jitter ?? 0,
    ...parts,
    queue: createTaskQueue(pool, clock),
    provider: providerAdapter,
    breakers: new ProviderBreakers({ clock, logger: parts.logger }),
  };
}

async function encryptionKeysOf({ encryptionKeys, dataFolder }: Settings): Promise<readonly EncryptionKey[]> {
  return encryptionKeys.length > 0 ? encryptionKeys : (await localEncryptionKeys(dataFolder)).keys;
}

/** The libraries of the API are loaded with it: a worker does not need them. */
async function openLanes(settings: Settings, service: Service): Promise<CallLanes> {
  const { createCallLanes } = await import("./graphql/shared/callLanes.ts");
  return createCallLanes(service, callLimits(settings, FREQUENT_READS));
}

async function runWorker(settings: Settings, service: Service, queuePool: pg.Pool): Promise<RunningWorker> {
  const { startWorker } = await import("./worker/worker.ts");
  const { workerSlots: concurrency, shutdownTimeoutMs } = settings;
  return startWorker(service, { queuePool, concurrency, stopTimeoutMs: shutdownTimeoutMs - CLOSING_MS });
}

async function serve(
  settings: Settings,
  dependencies: Omit<HttpDependencies, "panelFolder">,
  shutdown: Shutdown,
  stage: Stage,
): Promise<string> {
  const { createHttpHandler } = await import("./http/server.ts");
  const handler = createHttpHandler({ ...dependencies, panelFolder: settings.panelFolder });
  const listener = await listen(handler, settings.host, settings.port);
  shutdown.add(() => {
    const drainMs = stage.isReplaced ? Math.max(settings.drainMs, KEEP_ALIVE_DRAIN_MS) : settings.drainMs;
    return listener.close(settings.shutdownTimeoutMs - CLOSING_MS, setTimeout(drainMs));
  });
  return listener.address;
}

async function prepareMigrations(settings: Settings, url: string): Promise<void> {
  if (settings.migratesAtStart) await applyMigrations(url);
  else requireMigrated(await pendingMigrations(url));
}

/** The URL for migrations and commands, which need a session. */
function sessionUrl({ url, directUrl }: DatabaseAddresses): string {
  return directUrl ?? url;
}

async function prepareQueues(settings: Settings, { pool }: Database): Promise<void> {
  if (settings.migratesAtStart) return prepareTaskQueues(pool);
  const problem = await findQueueProblem(pool);
  requireMigrated(problem === null ? [] : [problem]);
}

function requireMigrated(pending: readonly string[]): void {
  if (pending.length === 0) return;
  throw new Error(
    `the database lacks migrations of this version (${nameSome(pending)}). ` +
      "Run `social-connect migrate` with this version, then try again",
  );
}

/** A command with a forgotten DATABASE_URL would create an empty database, and find nothing in it. */
async function requireDatabase({ databaseUrl, dataFolder }: Settings): Promise<void> {
  if (databaseUrl !== null || (await hasEmbeddedDatabase(dataFolder))) return;
  throw new Error(
    `DATABASE_URL is not set, and ${dataFolder} has no database; set DATABASE_URL, or DATA_DIR to the data folder of the service`,
  );
}

/** The configured database, or the data folder's embedded database, which then belongs to this process. */
async function reachDatabase(settings: Settings, shutdown: Shutdown): Promise<DatabaseAddresses> {
  if (settings.databaseUrl !== null) {
    const directUrl = settings.databaseDirectUrl?.reveal() ?? null;
    const addresses = { url: settings.databaseUrl.reveal(), directUrl };
    await checkDatabase(addresses, { requireTls: settings.requireDatabaseTls });
    return addresses;
  }
  const lock = await lockFolder(settings.dataFolder);
  shutdown.add(() => lock.release());
  const embedded = await startServiceDatabase(settings.dataFolder, settings.embeddedDatabasePort);
  shutdown.add(() => embedded.stop());
  return { url: embedded.url, directUrl: null };
}
