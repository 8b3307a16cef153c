import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { DATABASE_SERVER_VARIABLE, runStatement, TEMPLATE_DATABASE_VARIABLE } from "@social-connect/testkit";
import { findCitus, NO_CITUS } from "../../../tools/citus.ts";
import { startPostgres } from "../../../tools/postgres.ts";
import { applyMigrations } from "../src/platform/database/migrations.ts";
import { distribute } from "../src/platform/distribution/distribute.ts";
import { startTemporaryDatabase } from "../src/platform/testing/temporaryDatabase.ts";

/**
 * One PostgreSQL for the whole test run, with a migrated template that each test file copies. TEST_DATABASE_URL names a
 * server to use instead of the embedded one; its user must be allowed to create databases. With TEST_DATABASE_DISTRIBUTED the
 * template's tables are distributed by Citus, so that every statement that a test reaches is planned for them.
 */
export default async function setUpDatabaseServer(): Promise<(() => Promise<void>) | undefined> {
  // Each project of the run that needs it asks for it.
  if (env[DATABASE_SERVER_VARIABLE] !== undefined) return undefined;
  const isDistributed = env.TEST_DATABASE_DISTRIBUTED !== undefined;
  await using starting = new AsyncDisposableStack();
  const server = await startServer(env.TEST_DATABASE_URL, isDistributed);
  starting.defer(server.stop);
  const template = `test_template_${randomBytes(4).toString("hex")}`;
  starting.defer(async () => void (await runStatement(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)));
  await runStatement(server.url, `CREATE DATABASE ${template}`);
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  await applyMigrations(url.href);
  if (isDistributed) await distributeTemplate(server.url, url);
  env[DATABASE_SERVER_VARIABLE] = server.url;
  env[TEMPLATE_DATABASE_VARIABLE] = template;
  const running = starting.move();
  return () => running.disposeAsync();
}

/**
 * Makes the template a Citus cluster of one node, so that a test's database is still a copy of a template. What Citus refuses to
 * plan does not depend on the number of nodes; the conformance suite and `citus.alone.system.test.ts` use several.
 */
async function distributeTemplate(server: string, template: URL): Promise<void> {
  const node = [template.hostname, Number(template.port)];
  await runStatement(template.href, "CREATE EXTENSION citus");
  await runStatement(template.href, "SELECT citus_set_coordinator_host($1, $2)", node);
  await runStatement(template.href, "SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)", node);
  await distribute(template.href, { shards: 4 });
  // The extension's own process is connected to each database that uses it, and a database with connections cannot be copied.
  const name = template.pathname.slice(1);
  await runStatement(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await runStatement(server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
}

async function startServer(given: string | undefined, isDistributed: boolean) {
  if (given !== undefined) return { url: given, stop: async () => undefined };
  if (isDistributed) {
    const bin = findCitus();
    if (bin === null) throw new Error(NO_CITUS);
    const settings = { shared_preload_libraries: "citus", wal_level: "logical", max_worker_processes: 64 };
    // What `distribute` sets for a database, which its copies do not get.
    const citus = await startPostgres(bin, { ...settings, "citus.multi_shard_modify_mode": "sequential" });
    return { url: citus.url("postgres"), stop: citus.stop };
  }
  const database = await startTemporaryDatabase();
  return { url: database.url("postgres"), stop: database.stop };
}
