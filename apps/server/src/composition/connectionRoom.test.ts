import { randomBytes } from "node:crypto";
import { reservePort, runStatement, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { examine } from "../cli/doctor/doctor.ts";
import { readSettings } from "../config/settings.ts";
import { startServer } from "../main.ts";
import { openDatabase } from "../platform/database/database.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { requireConnectionRoom } from "./connectionRoom.ts";

/** A database with its own role, because limits of roles and databases do not apply to superusers. */
async function ownDatabase(): Promise<{ readonly url: string; readonly admin: string; readonly role: string }> {
  const database = await testDatabase({ migrated: false });
  const role = `owner_${randomBytes(4).toString("hex")}`;
  await runStatement(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  await runStatement(database.url, `ALTER DATABASE ${database.name} OWNER TO ${role}`);
  onTestFinished(async () => {
    const server = new URL(database.url);
    server.pathname = "/postgres";
    await database.drop();
    await runStatement(server.href, `DROP ROLE ${role}`);
  });
  const url = new URL(database.url);
  url.username = role;
  url.password = "secret";
  return { url: url.href, admin: database.url, role };
}

const LIMITS = {
  role: ({ role }: { readonly role: string }) => `ALTER ROLE ${role} CONNECTION LIMIT 14`,
  database: ({ admin }: { readonly admin: string }) =>
    `ALTER DATABASE ${new URL(admin).pathname.slice(1)} CONNECTION LIMIT 14`,
};

test.each([
  ["role", "api", 24],
  ["role", "worker", 15],
  ["database", "both", 28],
] as const)(
  "with 14 connections of the %s, a start as %s and doctor refuse and name %i",
  async (limit, role, needed) => {
    const database = await ownDatabase();
    await runStatement(database.admin, LIMITS[limit](database));
    const environment = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS: `key:${Buffer.alloc(32, 1).toString("base64")}`,
      ROLE: role,
      PORT: String(await reservePort()),
      LOG_LEVEL: "silent",
    };
    await expect(startServer(readSettings(environment))).rejects.toThrow(
      `the database allows 14 connections (the CONNECTION LIMIT of the ${limit}), and a process of role ${role} uses up to ${needed}. Lower DATABASE_POOL_SIZE`,
    );
    expect(await examine(environment)).toContainEqual({
      check: "connections",
      status: "failed",
      message: `1 processes use up to ${needed} of 14 connections (the CONNECTION LIMIT of the ${limit})`,
      remedy: expect.stringContaining("DATABASE_POOL_SIZE"),
    });
  },
);

test("warns when other clients leave too few connections, and not because of the service's own", async () => {
  const { url, admin, role } = await ownDatabase();
  await runStatement(admin, `ALTER ROLE ${role} CONNECTION LIMIT 29`);
  const settings = readSettings({
    DATABASE_URL: url,
    ENCRYPTION_KEYS: `key:${Buffer.alloc(32, 1).toString("base64")}`,
  });
  const { pool, close } = openDatabase({ url, poolSize: 4, applicationName: "social-connect both" });
  onTestFinished(close);
  const own = await Promise.all([1, 2, 3].map(() => pool.connect()));
  const { logger, lines } = recordingLogger("warn");
  await requireConnectionRoom(settings, pool, logger);
  expect(lines).toEqual([]);
  const others = [1, 2].map(() => new pg.Client({ connectionString: url }));
  for (const other of others) {
    await other.connect();
    onTestFinished(() => other.end());
  }
  await requireConnectionRoom(settings, pool, logger);
  expect(lines).toEqual([
    expect.stringMatching(/allows 29 connections .*, of which other clients use 2, and .* uses up to 28\. Lower/),
  ]);
  for (const client of own) client.release();
});
