import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStatement } from "../packages/testkit/src/database.ts";
import { reservePort } from "../packages/testkit/src/ports.ts";

/** Whether PgBouncer is installed (Debian package `pgbouncer`). */
export const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0;

export interface PgBouncer {
  /** The URL of the database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** What docs/operations/database.md sets for a pooler. */
const POOLED_SETTINGS = { statement_timeout: "10s", idle_in_transaction_session_timeout: "30s", TimeZone: "UTC" };

/** Sets for a database what a pooler in transaction mode keeps no session for. */
export async function prepareForPooler(
  databaseUrl: string,
  settings: Iterable<readonly [string, string]> = Object.entries(POOLED_SETTINGS),
): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const [setting, value] of settings) {
    await runStatement(databaseUrl, `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  }
}

/** Starts PgBouncer in front of a database, on loopback with a few connections. */
export async function startPgBouncer(
  databaseUrl: string,
  {
    mode = "transaction",
    poolSize = 10,
    settings: others = [],
  }: {
    readonly mode?: "transaction" | "session" | "statement";
    readonly poolSize?: number;
    /** More lines of its settings. */
    readonly settings?: readonly string[];
  } = {},
): Promise<PgBouncer> {
  const database = new URL(databaseUrl);
  const name = database.pathname.slice(1);
  const port = await reservePort();
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  // PgBouncer refuses to run as root, and another user must be able to read its settings.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chmod(folder, 0o755);
  const settings = join(folder, "pgbouncer.ini");
  const target = {
    host: database.hostname,
    port: database.port || "5432",
    dbname: name,
    user: decodeURIComponent(database.username),
    password: decodeURIComponent(database.password),
  };
  await writeFile(
    settings,
    [
      "[databases]",
      `${name} = ${Object.entries(target)
        .map(([key, value]) => `${key}='${value.replaceAll("'", "''")}'`)
        .join(" ")}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
      "max_client_conn = 500",
      "log_connections = 0",
      "log_disconnections = 0",
      ...others,
      "",
    ].join("\n"),
  );
  const child = spawn("pgbouncer", [...(isRoot ? ["--user", "nobody"] : []), settings], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("process up")) resolve();
    });
    child.once("exit", () => reject(new Error(`PgBouncer did not start: ${output}`)));
    child.once("error", reject);
  });
  child.removeAllListeners("exit");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
