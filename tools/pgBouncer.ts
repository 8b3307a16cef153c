import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStatement } from "../packages/testkit/src/database.ts";
import { startProgram } from "../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../packages/testkit/src/ports.ts";

/** Whether PgBouncer is installed (Debian package `pgbouncer`). */
export const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0;

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

interface PgBouncerOptions {
  readonly mode?: "transaction" | "session" | "statement";
  readonly poolSize?: number;
  readonly settings?: readonly string[];
}

/** Starts PgBouncer in front of a database, on loopback with a few connections. */
export async function startPgBouncer(databaseUrl: string, options: PgBouncerOptions = {}) {
  const { mode = "transaction", poolSize = 10, settings: others = [] } = options;
  const database = new URL(databaseUrl);
  const name = database.pathname.slice(1);
  const port = await reservePort();
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  // PgBouncer refuses to run as root, and another user must be able to read its settings.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chmod(folder, 0o755);
  const settings = join(folder, "pgbouncer.ini");
  const [user, password] = [database.username, database.password].map(decodeURIComponent);
  await writeFile(
    settings,
    [
      "[databases]",
      `${name} = host=${database.hostname} port=${database.port} user=${user} password='${password}'`,
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
  const program = startProgram({
    name: "PgBouncer",
    command: ["pgbouncer", ...(isRoot ? ["--user", "nobody"] : []), settings],
  });
  await program.until(async () => program.output().includes("process up"));
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    stop: async () => {
      await program.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
