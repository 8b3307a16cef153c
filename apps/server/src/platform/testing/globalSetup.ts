import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DATABASE_SERVER_VARIABLE, TEMPLATE_DATABASE_VARIABLE } from "@social-connect/testkit";
import pg from "pg";
import { startEmbeddedDatabase } from "../embeddedDatabase/start.ts";
import { applyMigrations } from "../migrations.ts";
import { reservePort } from "../ports.ts";

/** Clears up also when this process is killed and its own tear-down never runs. */
const CLEARING_PROGRAM = fileURLToPath(new URL("./clearAfterParent.ts", import.meta.url));

interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * One PostgreSQL for the whole test run, with a template that the migrations were applied to once; each test file copies
 * it. TEST_DATABASE_URL names a server to use in place of the embedded one; its user must be allowed to make databases.
 */
export default async function setUpDatabaseServer(): Promise<() => Promise<void>> {
  const server = await startServer(process.env.TEST_DATABASE_URL);
  const template = `test_template_${randomBytes(4).toString("hex")}`;
  const tearDown = async () => {
    await onServer(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.stop();
  };
  try {
    await onServer(server.url, `CREATE DATABASE ${template}`);
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

async function startServer(given: string | undefined): Promise<DatabaseServer> {
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-test-"));
  const clearing = spawn(process.execPath, [CLEARING_PROGRAM, dataFolder], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  // It stays as long as this process does, and must not keep this process.
  clearing.unref();
  const database = await startEmbeddedDatabase({ dataFolder, port: await reservePort(), unsafeAndFast: true });
  return {
    url: database.url("postgres"),
    stop: async () => {
      await database.stop();
      const cleared = once(clearing, "exit");
      clearing.stdin.end();
      await cleared;
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
