import type { Settings } from "../config/settings.ts";
import { checkDatabase, type DatabaseAddresses } from "../platform/database/checkDatabase.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../platform/database/database.ts";
import { applyMigrations, MIGRATIONS_FOLDER, pendingMigrations } from "../platform/database/migrations.ts";
import type { ReportWait } from "../platform/database/migrationTurn.ts";
import { withSession } from "../platform/database/session.ts";
import { findServiceDatabase, startServiceDatabase } from "../platform/embeddedDatabase/serviceDatabase.ts";
import { hasEmbeddedDatabase } from "../platform/embeddedDatabase/start.ts";
import type { Logger } from "../platform/log/logger.ts";
import { nameSome } from "../platform/nameSome.ts";
import { requireMode } from "../platform/process/deploymentMode.ts";
import { FolderInUseError, lockFolder } from "../platform/process/folderLock.ts";
import { keepRunning } from "../platform/process/keepRunning.ts";
import { endOfDetached } from "../platform/process/processIdentity.ts";
import { Shutdown } from "../platform/process/shutdown.ts";
import { findQueueProblem, prepareTaskQueues } from "../worker/boss.ts";

const RESTART_DELAYS = { firstMs: 500, mostMs: 30_000, stableMs: 60_000 };

/**
 * The configured database, or the data folder's embedded database, which then belongs to this process. With a logger, a service
 * starts the embedded database again whenever it ends, for example once a full disk has room.
 */
export async function reachDatabase(
  settings: Settings,
  shutdown: Shutdown,
  logger: Logger | null = null,
): Promise<DatabaseAddresses> {
  if (settings.databaseUrl !== null) {
    const directUrl = settings.databaseDirectUrl?.reveal() ?? null;
    const addresses = { url: settings.databaseUrl.reveal(), directUrl };
    await checkDatabase(addresses, { requireTls: settings.requireDatabaseTls });
    return addresses;
  }
  const lock = await lockFolder(settings.dataFolder, { isShared: logger !== null });
  shutdown.add(() => lock.release());
  let starting = startServiceDatabase(settings.dataFolder, settings.embeddedDatabasePort);
  const first = await starting;
  const stopping = new AbortController();
  shutdown.add(async () => {
    stopping.abort();
    await (await starting.catch(() => null))?.stop();
  });
  if (logger !== null) {
    void keepRunning(
      { ended: endOfDetached(first.pid) },
      {
        start: async () => {
          starting = startServiceDatabase(settings.dataFolder, settings.embeddedDatabasePort);
          const { pid } = await starting;
          logger.warn("the embedded database runs again");
          return { ended: endOfDetached(pid) };
        },
        signal: stopping.signal,
        delays: RESTART_DELAYS,
        onEnd: () => logger.error("the embedded database ended unexpectedly; starting it again"),
        onFailure: ({ message }) =>
          logger.error({ reason: message }, "the embedded database cannot be started; retrying"),
      },
    );
  }
  return { url: first.url, directUrl: null };
}

/** For a command: also the embedded database of a service that runs. */
async function reachForCommand(settings: Settings, shutdown: Shutdown): Promise<DatabaseAddresses> {
  try {
    return await reachDatabase(settings, shutdown);
  } catch (error) {
    const isShared = error instanceof FolderInUseError && error.isShared;
    const url = isShared ? await findServiceDatabase(settings.dataFolder) : null;
    if (url === null) throw error;
    return { url, directUrl: null };
  }
}

/** The URL for migrations and commands, which need a session. */
export function sessionUrl({ url, directUrl }: DatabaseAddresses): string {
  return directUrl ?? url;
}

/** Runs work on the database of a deployment that needs a session. Applies no migration and starts no role. */
export async function withSessionUrl<T>(
  settings: Settings,
  work: (url: string, shutdown: Shutdown) => Promise<T>,
): Promise<T> {
  const shutdown = new Shutdown();
  try {
    const url = sessionUrl(await reachForCommand(settings, shutdown));
    // A command without MODE is for either; a deployment's processes have one.
    if (settings.modeIsSet) await withSession(url, "mode", (session) => requireMode(session, settings.mode));
    return await work(url, shutdown);
  } finally {
    await shutdown.run((error) => console.error(error));
  }
}

/** The same with the database open, until the work ends. */
export function withDatabase<T>(
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

/** A command with a forgotten DATABASE_URL would create an empty database, and find nothing in it. */
export async function requireDatabase({ databaseUrl, dataFolder }: Settings): Promise<void> {
  if (databaseUrl !== null || (await hasEmbeddedDatabase(dataFolder))) return;
  throw new Error(
    `DATABASE_URL is not set, and ${dataFolder} has no database; set DATABASE_URL, or DATA_DIR to the data folder of the service`,
  );
}

export async function prepareMigrations(settings: Settings, url: string, onWait: ReportWait): Promise<void> {
  if (settings.migratesAtStart) await applyMigrations(url, MIGRATIONS_FOLDER, { onWait });
  else requireMigrated(await pendingMigrations(url));
}

export async function prepareQueues(settings: Settings, { pool }: Database): Promise<void> {
  if (settings.migratesAtStart) return prepareTaskQueues(pool);
  const problem = await findQueueProblem(pool);
  requireMigrated(problem === null ? [] : [problem]);
}

export function requireMigrated(pending: readonly string[]): void {
  if (pending.length === 0) return;
  throw new Error(
    `the database lacks migrations of this version (${nameSome(pending)}). ` +
      "Run `social-connect migrate` with this version, then try again",
  );
}
