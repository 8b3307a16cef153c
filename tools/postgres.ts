import { existsSync, readdirSync } from "node:fs";
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runStatement } from "../packages/testkit/src/database.ts";
import { startProgram } from "../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../packages/testkit/src/ports.ts";
import { run } from "./packages/commands.ts";

/** Where packages of PostgreSQL install their programs. */
const INSTALLATIONS = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt"] as const;
const HOST = "127.0.0.1";
const USER = "postgres";
/** The user `nobody`, because PostgreSQL does not run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Folders that may contain the programs of a PostgreSQL: those in PATH, and those of packages with the newest first. */
export function programFolders(): readonly string[] {
  const packaged = INSTALLATIONS.filter((folder) => existsSync(folder)).flatMap((folder) => {
    const newestFirst = readdirSync(folder).sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
    return newestFirst.map((version) => join(folder, version, "bin"));
  });
  return [...(process.env.PATH ?? "").split(delimiter), ...packaged];
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** Where a cluster runs. By default on loopback, in a folder for temporary files. */
interface PostgresPlace {
  readonly host?: string;
  /** A command that runs another, for example in a network namespace. */
  readonly within?: readonly string[];
  /** The folder for the cluster's own. */
  readonly parent?: string;
  /** Files of the cluster's folder, by name, written before the start. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Starts a new cluster from the programs in `bin`. It stops with this process. Its user `postgres` needs no password. */
export async function startPostgres(
  bin: string,
  settings: Readonly<Record<string, string | number>> = {},
  { host = HOST, within = [], parent = tmpdir(), files = {} }: PostgresPlace = {},
) {
  const [folder, port] = await Promise.all([mkdtemp(join(parent, "postgres-")), reservePort()]);
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  await chmod(folder, 0o700);
  const create = ["--pgdata", folder, "--username", USER, "--auth", "trust", "--encoding", "UTF8"];
  const [setpriv, ...parameters] = asUser([], [join(bin, "initdb"), ...create, "--locale", "C.UTF-8", "--no-sync"]);
  await run(setpriv, parameters, { folder, environment: ENVIRONMENT });
  const all = {
    port,
    listen_addresses: host,
    unix_socket_directories: "",
    max_connections: 300,
    // A test may lose its data with the machine.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    log_min_messages: "warning",
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(folder, "postgresql.conf"), lines.join(""));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    if (isRoot) await chown(join(folder, name), NOBODY, NOBODY);
  }
  const server = startProgram({
    name: "a PostgreSQL",
    command: asUser([...within], [join(bin, "postgres"), "-D", folder]),
    environment: ENVIRONMENT,
    isAlone: true,
    // It ends the sessions by the signal of Ctrl-C, and waits for them by another.
    isInTerminal: true,
  });
  await using starting = new AsyncDisposableStack();
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  starting.use(server);
  const url = (database: string) => `postgres://${USER}@${host}:${port}/${database}`;
  await server.until(() => runStatement(url(USER), "SELECT 1").then(() => true));
  const running = starting.move();
  return { port, folder, url, stop: () => running.disposeAsync() };
}

const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

/** Runs a program of PostgreSQL, as another user instead of root. The system ends it with this process. */
function asUser(within: string[], program: readonly string[]): [string, ...string[]] {
  const user = isRoot ? ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"] : [];
  const [first = "", ...rest] = [...within, "setpriv", ...user, "--pdeathsig", "INT", "--", ...program];
  return [first, ...rest];
}
