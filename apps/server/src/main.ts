import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { requireConnectionRoom } from "./composition/connectionRoom.ts";
import { openConnections } from "./composition/connections.ts";
import { createService, encryptionKeysOf } from "./composition/createService.ts";
import { prepareMigrations, prepareQueues, reachDatabase, sessionUrl } from "./composition/deploymentDatabase.ts";
import { callLimits } from "./config/callLimits.ts";
import { noAdminError, type Settings } from "./config/settings.ts";
import type { CallLanes } from "./graphql/shared/callLanes.ts";
import type { HttpDependencies } from "./http/server.ts";
import { addFirstAdmins } from "./modules/admins/admins.ts";
import { requireCorrectKeys } from "./modules/encryption/keyChecks.ts";
import { watchNewKeys } from "./modules/encryption/watchNewKeys.ts";
import type { Service } from "./modules/service.ts";
import { findShiftedTimes, SHIFTED_TIMES_REMEDY } from "./modules/times/findShiftedTimes.ts";
import { startObservability } from "./observability/observability.ts";
import { type ProcessOperations, serveOperations } from "./observability/operations.ts";
import { databaseIsReady } from "./platform/database/database.ts";
import { withSession } from "./platform/database/session.ts";
import { createErasureLogger, createLogger, createRequestLogger, serviceOutput } from "./platform/log/logger.ts";
import { securityLog } from "./platform/log/securityLog.ts";
import { listen } from "./platform/network/httpListener.ts";
import { collectGarbage } from "./platform/process/collectGarbage.ts";
import { recordMode, requireMode } from "./platform/process/deploymentMode.ts";
import { Shutdown } from "./platform/process/shutdown.ts";
import { createSecretBox } from "./platform/secrets/secretBox.ts";
import type { RunningWorker } from "./worker/worker.ts";

/** Time that a shutdown reserves for closing connections after in-flight work has finished or was requeued. */
const CLOSING_MS = 2_000;
/**
 * How long a replaced process answers on its open connections, so that clients close them between two requests. Longer than the
 * proxies of `deploy` keep an idle one.
 */
const KEEP_ALIVE_DRAIN_MS = 3_000;
/** Until what a start begins in the background has finished. */
const SETTLED_MS = 10_000;

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

/** Builds the service from its settings and starts its roles. If anything fails, the started components are shut down. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const log = { level: settings.logLevel, role: settings.role, destination: serviceOutput(settings.role) };
  const logger = createLogger(log);
  const shutdown = new Shutdown();
  shutdown.add(async () => securityLog({ logger }).flush());
  const end = () => shutdown.run((error) => logger.error({ err: error }, "component failed to shut down cleanly"));
  const stage: Stage = { isStarted: false, isStopping: false, isReplaced: false };
  try {
    const loggers = { logger, requestLogger: createRequestLogger(log), erasureLogger: createErasureLogger(log) };
    const observability = await startObservability(settings, loggers);
    const { telemetry, metrics } = observability;
    shutdown.add(() => observability.stop());
    let isReady = async () => false;
    const operations = metrics && { metrics, isReady: () => isReady() };
    await serveOwnOperations(settings, operations, shutdown);

    const addresses = await reachDatabase(settings, shutdown, logger);
    // Before migrations, which would change the database of another deployment.
    await withSession(sessionUrl(addresses), "mode", (session) => requireMode(session, settings.mode));
    await prepareMigrations(settings, sessionUrl(addresses), (line) => logger.warn(line));
    const connections = openConnections(settings, addresses, logger, telemetry.tracing);
    for (const { close } of new Set(Object.values(connections))) shutdown.add(close);
    const { database, reads, readiness, direct } = connections;
    await requireConnectionRoom(settings, direct.pool, logger);
    await prepareQueues(settings, direct);
    const { keys, lostIds } = await encryptionKeysOf(settings);
    const secretBox = createSecretBox(keys, lostIds);
    const service = createService(settings, connections, { logger, telemetry, secretBox });
    await requireCorrectKeys(service, keys, lostIds);
    await warnOfShiftedTimes(service);
    const counts = observability.writeCounts(service);
    shutdown.add(() => counts.stop());
    await addFirstAdmins(service, settings.adminEmails);
    if (settings.mode === "live" && (await database.prisma.adminMember.count()) === 0) throw noAdminError();
    const stopWatch = await watchNewKeys(service, [...keys.map(({ id }) => id), ...lostIds]);
    shutdown.add(async () => stopWatch());
    await recordMode(database.pool, settings.mode, await service.clock.now());
    isReady = async () => stage.isStarted && !stage.isStopping && (await databaseIsReady(readiness.pool));
    const lanes = settings.role === "worker" ? null : await openLanes(settings, service);
    observability.watch({
      service,
      isReady: () => isReady(),
      dataFolder: settings.databaseUrl === null ? settings.dataFolder : null,
      pools: { writes: database.pool, reads: reads.pool, hot_reads: reads.hotPool, readiness: readiness.pool },
      databaseErrors: [...new Set(Object.values(connections))].map(({ errors }) => errors),
      calls: lanes ? { query: lanes.query, mutation: lanes.mutation } : {},
      adminCalls: lanes ? { admin: lanes.admin } : {},
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

/** Only a warning, because new times are correct. */
async function warnOfShiftedTimes(service: Service): Promise<void> {
  const shifted = await findShiftedTimes(service);
  if (shifted.length > 0) service.logger.warn({ shifted }, SHIFTED_TIMES_REMEDY);
}

/** Liveness answers while the process starts. Where several processes share one port, the supervisor serves it. */
async function serveOwnOperations(
  { operations: address, hasSupervisor }: Settings,
  operations: ProcessOperations | null,
  shutdown: Shutdown,
): Promise<void> {
  if (address === null || operations === null || hasSupervisor) return;
  const own = { ...operations, metrics: () => operations.metrics({ withState: true }) };
  const listener = await serveOperations(own, address.host, address.port);
  shutdown.add(() => listener.close(0));
}

/** The libraries of the API are loaded with it: a worker does not need them. */
async function openLanes(settings: Settings, service: Service): Promise<CallLanes> {
  const { createCallLanes } = await import("./graphql/shared/callLanes.ts");
  return createCallLanes(service, callLimits(settings));
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
  const { connectHost, adminHost } = dependencies.service;
  const ownNames = [connectHost, adminHost].map((url) => new URL(url).hostname);
  const listener = await listen(handler, settings.host, settings.port, undefined, ownNames);
  shutdown.add(() => {
    const drainMs = stage.isReplaced ? Math.max(settings.drainMs, KEEP_ALIVE_DRAIN_MS) : settings.drainMs;
    return listener.close(settings.shutdownTimeoutMs - CLOSING_MS, setTimeout(drainMs));
  });
  return listener.address;
}
