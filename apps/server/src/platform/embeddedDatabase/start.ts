import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, readlink, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { makeOwnerFolder } from "../process/ownerFolder.ts";
import { findBinaries, giveToDatabaseUser, runProgram } from "./binaries.ts";

/** The packaged major version; other versions cannot read its files. */
const MAJOR_VERSION = "18";
const USER = "social_connect";
/** Exists in every cluster; the service's tables are in a separate database. */
export const MAINTENANCE_DATABASE = "postgres";
const START_TIMEOUT_SECONDS = 60;
const STOP_TIMEOUT_SECONDS = 30;

export interface EmbeddedDatabaseOptions {
  /** Contains the cluster, its password and its log. */
  readonly dataFolder: string;
  readonly port: number;
  /** For tests: faster, and a crash of the machine may lose everything. */
  readonly unsafeAndFast?: boolean;
}

export interface EmbeddedDatabase {
  /** PostgreSQL's process id. */
  readonly pid: number;
  /** URL of a database of this cluster, including the password: a secret. */
  url(databaseName: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a data folder; creates it if it is missing, and recovers one whose parent was killed. It
 * listens on 127.0.0.1 only and requires a generated password.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const binaries = await findBinaries();
  const dataFolder = await openDataFolder(options.dataFolder);
  const cluster = join(dataFolder, "postgres");
  const log = join(dataFolder, "postgres.log");

  if (await isEmpty(cluster)) await createCluster(binaries.initdb, dataFolder, cluster);
  const password = await readPassword(dataFolder, cluster);
  if ((await findOrphan(cluster)) !== null) await stopCluster(binaries.pg_ctl, cluster);

  await rename(log, `${log}.1`).catch(() => undefined);
  // A test run shares one server, with more connections than a service needs. Its time zone shows
  // which sessions lack the service's settings.
  const forTests =
    " -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=500 -c TimeZone=Asia/Kolkata";
  const settings = options.unsafeAndFast ? forTests : "";
  const start = async (): Promise<number | null> => {
    const parameters = ["start", "-D", cluster, "-o", `-p ${options.port}${settings}`];
    const bound = ["-w", "-t", String(START_TIMEOUT_SECONDS), "-l", log];
    const { exitCode } = await runProgram(binaries.pg_ctl, [...parameters, ...bound]);
    return exitCode === 0 ? findOrphan(cluster) : null;
  };
  let pid = await start();
  for (let tries = 0; pid === null && tries < 20 && (await isStillInUse(log)); tries++) {
    await setTimeout(250);
    pid = await start();
  }
  if (pid === null) {
    // A slow server must not continue in the background; a crashed one leaves a pid file, which this removes.
    if ((await findOrphan(cluster)) !== null) await stopCluster(binaries.pg_ctl, cluster);
    throw await explainFailedStart(options.port, cluster, log);
  }

  return {
    pid,
    url: urlsOf(password, options.port),
    stop: () => stopCluster(binaries.pg_ctl, cluster),
  };
}

/** URLs of the databases of a cluster that another process has started; null: it does not accept connections. */
export async function findRunningDatabase(dataFolder: string): Promise<EmbeddedDatabase["url"] | null> {
  const cluster = join(dataFolder, "postgres");
  // PostgreSQL documents the lines: https://www.postgresql.org/docs/18/storage-file-layout.html
  const content = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "");
  const [, , , port, , , , status] = content.split("\n");
  if (port === undefined || status?.trim() !== "ready") return null;
  return urlsOf(await readPassword(dataFolder, cluster), Number(port));
}

function urlsOf(password: string, port: number): EmbeddedDatabase["url"] {
  return (databaseName) => `postgres://${USER}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** Whether a data folder has a database, which a start would otherwise create. */
export async function hasEmbeddedDatabase(dataFolder: string): Promise<boolean> {
  return !(await isEmpty(join(dataFolder, "postgres")));
}

/** Stops what a killed process left running in a data folder, if anything; touches no other database. */
export async function stopLeftoverDatabase(dataFolder: string): Promise<void> {
  const cluster = join(dataFolder, "postgres");
  if ((await findOrphan(cluster)) !== null) await stopCluster((await findBinaries()).pg_ctl, cluster);
}

async function stopCluster(pgCtl: string, cluster: string): Promise<void> {
  for (const mode of ["fast", "immediate"]) {
    const bound = ["-w", "-t", String(STOP_TIMEOUT_SECONDS)];
    const { exitCode } = await runProgram(pgCtl, ["stop", "-D", cluster, "-m", mode, ...bound]);
    if (exitCode === 0 || (await findOrphan(cluster)) === null) return;
  }
  throw new Error(`the embedded database in ${cluster} does not stop`);
}

async function openDataFolder(folder: string): Promise<string> {
  // Its `pg_ctl` hands the path to a shell between double quotes.
  if (process.platform !== "win32" && /["$`\\]/.test(folder)) {
    throw new Error(
      `the data folder ${folder} has one of " $ \` \\ in its path, which PostgreSQL does not support; set DATA_DIR (\`dev\`: --data) to another`,
    );
  }
  try {
    await makeOwnerFolder(folder);
    const probe = join(folder, `.writable-${process.pid}`);
    await writeFile(probe, "");
    await rm(probe);
    return await realpath(folder);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown";
    throw new Error(
      `the data folder ${folder} cannot be written (${code}); set DATA_DIR (\`dev\`: --data) to a folder that this user can write`,
      { cause },
    );
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  return entries.length === 0;
}

/** Created beside its final path and moved when complete, so an interrupted start leaves no partial cluster. */
async function createCluster(initdb: string, dataFolder: string, cluster: string): Promise<void> {
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await giveToDatabaseUser(draft);
  const passwordFile = passwordFileOf(dataFolder);
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600, flag: "wx" });
  const { exitCode, output } = await runProgram(initdb, [
    ...["--pgdata", draft, "--username", USER, "--pwfile", passwordFile, "--auth", "scram-sha-256"],
    // The built-in locale sorts the same on every machine.
    ...["--encoding", "UTF8", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--locale", "C"],
    ...["--set", "listen_addresses=127.0.0.1", "--set", "unix_socket_directories=", "--set", "max_connections=200"],
    // The folder is synced with the first checkpoint; until then it contains nothing to lose.
    "--no-sync",
  ]);
  if (exitCode !== 0) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`the embedded database could not be created in ${cluster}: ${findReason(output)}`);
  }
  await rm(cluster, { recursive: true, force: true });
  await rename(draft, cluster);
}

function passwordFileOf(dataFolder: string): string {
  return join(dataFolder, "postgres.password");
}

async function readPassword(dataFolder: string, cluster: string): Promise<string> {
  const version = await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => null);
  if (version === null) {
    throw new Error(
      `the embedded database in ${cluster} is damaged (it has no PG_VERSION); move it away to start with an empty one`,
    );
  }
  if (version.trim() !== MAJOR_VERSION) {
    throw new Error(
      `the embedded database in ${cluster} was written by PostgreSQL ${version.trim()}, and this is ${MAJOR_VERSION}; ` +
        "copy its data with pg_dump, or move the folder away to start with an empty one",
    );
  }
  const file = passwordFileOf(dataFolder);
  return readFile(file, "utf8").catch((cause) => {
    throw new Error(`the password of the embedded database is missing (${file}); restore it, or move ${cluster} away`, {
      cause,
    });
  });
}

/** Helper processes of a killed database exit shortly afterwards; until then its shared memory is in use. */
async function isStillInUse(log: string): Promise<boolean> {
  const content = await readFile(log, "utf8").catch(() => "");
  return /pre-existing shared memory block .{0,80} is still in use/.test(content.split("\n").slice(-6).join("\n"));
}

async function explainFailedStart(port: number, cluster: string, log: string): Promise<Error> {
  const content = await readFile(log, "utf8").catch(() => "");
  if (/could not bind IPv4 address.{0,80}in use/i.test(content)) {
    return new Error(
      `port ${port} for the embedded database is in use; set EMBEDDED_DATABASE_PORT to a free port, or set DATABASE_URL`,
    );
  }
  return new Error(
    `the embedded database in ${cluster} does not start: ${findReason(content)} (more in ${log}); ` +
      "fix it, or move the folder away to start with an empty one",
  );
}

/** PostgreSQL's first error: the rest describes the shutdown. */
function findReason(text: string): string {
  return text.match(/(?:FATAL|PANIC|error):\s+(.+)/)?.[1] ?? (text.trim().split("\n").at(-1) || "it gave no reason");
}

/**
 * Whether a PostgreSQL of exactly this cluster still runs, orphaned by a killed parent. Its pid file may also name a
 * process that ended, or an unrelated process with the same number: then the file is removed, because PostgreSQL would
 * refuse to start, and no process is touched.
 *
 * @returns the orphan's process id, or null
 */
async function findOrphan(clusterFolder: string): Promise<number | null> {
  const pidFile = join(clusterFolder, "postmaster.pid");
  const content = await readFile(pidFile, "utf8").catch(() => null);
  if (content === null) return null;
  const pid = Number.parseInt(content, 10);
  if (Number.isSafeInteger(pid) && pid > 1 && (await isPostgresOf(pid, clusterFolder))) return pid;
  await rm(pidFile, { force: true });
  return null;
}

async function isPostgresOf(pid: number, clusterFolder: string): Promise<boolean> {
  try {
    if (process.platform === "linux") {
      // PostgreSQL's working directory is its cluster, so pid and folder together identify one process.
      const [program, folder] = await Promise.all([readlink(`/proc/${pid}/exe`), readlink(`/proc/${pid}/cwd`)]);
      return basename(program) === "postgres" && folder === (await realpath(clusterFolder));
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]);
    return stdout.includes("postgres") && stdout.includes(clusterFolder);
  } catch {
    return false;
  }
}
