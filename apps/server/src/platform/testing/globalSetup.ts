import { randomBytes } from "node:crypto";
import { DATABASE_SERVER_VARIABLE, runStatement, TEMPLATE_DATABASE_VARIABLE } from "@social-connect/testkit";
import { applyMigrations } from "../migrations.ts";
import { startTemporaryDatabase } from "./temporaryDatabase.ts";

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
  } catch (error) {
    await tearDown();
    throw error;
  }
  process.env[DATABASE_SERVER_VARIABLE] = server.url;
  process.env[TEMPLATE_DATABASE_VARIABLE] = template;
  return tearDown;
}

async function startServer(given: string | undefined) {
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const database = await startTemporaryDatabase();
  return { url: database.url("postgres"), stop: database.stop };
}
