import { randomBytes } from "node:crypto";
import { DATABASE_SERVER_VARIABLE, runStatement, TEMPLATE_DATABASE_VARIABLE } from "@social-connect/testkit";
import { applyMigrations } from "../src/platform/database/migrations.ts";
import { distribute } from "../src/platform/distribution/distribute.ts";
import { startTemporaryDatabase } from "../src/platform/testing/temporaryDatabase.ts";

/**
 * One PostgreSQL for the whole test run, with a migrated template that each test file copies. TEST_DATABASE_URL names a
 * server to use instead of the embedded one; its user must be allowed to create databases.
 */
export default async function setUpDatabaseServer(): Promise<(() => Promise<void>) | undefined> {
  // Each project of the run that needs it asks for it.
  if (process.env[DATABASE_SERVER_VARIABLE] !== undefined) return undefined;
  const server = await startServer(process.env.TEST_DATABASE_URL);
  const template = `test_template_${randomBytes(4).toString("hex")}`;
  const tearDown = async () => {
    await runStatement(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.stop();
  };
  try {
    await runStatement(server.url, `CREATE DATABASE ${template}`);
    const url = new URL(server.url);
    url.pathname = `/${template}`;
    await applyMigrations(url.href);
    if (process.env.TEST_DATABASE_DISTRIBUTED !== undefined) await distributeTemplate(server.url, url);
  } catch (error) {
    await tearDown();
    throw error;
  }
  process.env[DATABASE_SERVER_VARIABLE] = server.url;
  process.env[TEMPLATE_DATABASE_VARIABLE] = template;
  return tearDown;
}

/** Makes the template a Citus cluster of one node, so that every statement of a test is planned for a distributed database. */
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

async function startServer(given: string | undefined) {
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const database = await startTemporaryDatabase();
  return { url: database.url("postgres"), stop: database.stop };
}
