import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { reservePort, runStatement } from "@social-connect/testkit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { folder as dataFolder, useFolderPerTest } from "../testing/folderPerTest.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "./start.ts";

useFolderPerTest();

/** A folder with a cleanly stopped cluster; copied, because creating one takes ten times as long. */
let madeFolder: string;
const running: EmbeddedDatabase[] = [];

beforeAll(async () => {
  madeFolder = await mkdtemp(join(tmpdir(), "social-connect-embedded-"));
  await (await startEmbeddedDatabase({ dataFolder: madeFolder, port: await reservePort() })).stop();
});

afterAll(() => rm(madeFolder, { recursive: true, force: true }));

afterEach(() => Promise.all(running.splice(0).map((database) => database.stop())));

/** `cp` preserves owners and modes, which PostgreSQL checks. */
async function useMadeCluster(): Promise<void> {
  await promisify(execFile)("cp", ["-a", `${madeFolder}/.`, dataFolder]);
}

async function start(folder = dataFolder, unsafeAndFast = true): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataFolder: folder, port: await reservePort(), unsafeAndFast });
  running.push(database);
  return database;
}

const query = (database: EmbeddedDatabase, statement: string) => runStatement(database.url("postgres"), statement);

test("data survives a stop and a start", async () => {
  const first = await start();
  await query(first, "CREATE TABLE kept AS SELECT 1 AS value");
  await first.stop();
  const second = await start();
  expect(await query(second, "SELECT value FROM kept")).toEqual([{ value: 1 }]);
});

test("it listens on loopback only, requires its password, and only its owner can read that", async () => {
  const database = await start();
  expect(await query(database, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  expect(await query(database, "SHOW unix_socket_directories")).toEqual([{ unix_socket_directories: "" }]);
  const stranger = new pg.Client({ connectionString: database.url("postgres").replace(/:[0-9a-f]{48}@/, ":guess@") });
  await expect(stranger.connect()).rejects.toMatchObject({ code: "28P01" });
  const mode = (await stat(join(dataFolder, "postgres.password"))).mode;
  expect(mode & 0o077).toBe(0);
});

test("a database whose parent was killed is reused with its committed data", async () => {
  await useMadeCluster();
  const orphan = await start();
  await query(orphan, "CREATE TABLE kept AS SELECT 1 AS value");
  // The next process starts the same folder after its predecessor was killed.
  const successor = await start();
  expect(successor.pid).not.toBe(orphan.pid);
  expect(await query(successor, "SELECT value FROM kept")).toEqual([{ value: 1 }]);
  await expect(query(orphan, "SELECT 1")).rejects.toThrow();
});

test("a killed database is recovered", async () => {
  await useMadeCluster();
  const killed = await start(dataFolder, false);
  await query(killed, "CREATE TABLE kept AS SELECT 1 AS value");
  process.kill(killed.pid, "SIGKILL");
  const successor = await start();
  expect(await query(successor, "SELECT value FROM kept")).toEqual([{ value: 1 }]);
});

test("a stale pid file of an unrelated process is removed, and that process is not touched", async () => {
  await useMadeCluster();
  const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  try {
    await writeFile(join(dataFolder, "postgres", "postmaster.pid"), `${stranger.pid}\n${dataFolder}/postgres\n0\n1\n`);
    const second = await start();
    expect(await query(second, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
  } finally {
    stranger.kill();
  }
});

test("recovering one database touches no other", async () => {
  const neighbour = await start(join(dataFolder, "neighbour"));
  const own = await start(join(dataFolder, "own"));
  process.kill(own.pid, "SIGKILL");
  await start(join(dataFolder, "own"));
  expect(await query(neighbour, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("an interrupted first start does not affect the next", async () => {
  await writeFile(join(dataFolder, "postgres.password"), "half a password");
  await (await start()).stop();
  const half = join(dataFolder, "postgres.new");
  await writeFile(half, "");
  await rm(join(dataFolder, "postgres"), { recursive: true });
  const database = await start();
  expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a port in use is reported with its number", async () => {
  await useMadeCluster();
  const server = createServer();
  const port = await reservePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  try {
    await expect(startEmbeddedDatabase({ dataFolder, port })).rejects.toThrow(
      new Error(
        `port ${port} for the embedded database is in use; set EMBEDDED_DATABASE_PORT to a free port, or set DATABASE_URL`,
      ),
    );
  } finally {
    server.close();
  }
});

test.each<[string, (cluster: string) => Promise<void>, RegExp]>([
  ["without PG_VERSION", (cluster) => rm(join(cluster, "PG_VERSION")), /is damaged .*move it away/],
  [
    "of another version",
    (cluster) => writeFile(join(cluster, "PG_VERSION"), "14\n"),
    /written by PostgreSQL 14.*pg_dump/,
  ],
  [
    "with a truncated control file",
    (cluster) => truncate(join(cluster, "global/pg_control"), 10),
    /does not start: .+ \(more in /,
  ],
  ["without its password", (cluster) => rm(join(cluster, "../postgres.password")), /password .* is missing/],
])("a cluster %s is one clear message, and nothing remains running", async (_, damage, message) => {
  await useMadeCluster();
  await damage(join(dataFolder, "postgres"));
  const error = await start().catch((caught: unknown) => caught);
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).not.toContain("\n");
  await expect(readFile(join(dataFolder, "postgres", "postmaster.pid"))).rejects.toThrow(/ENOENT/);
});

test("a read-only data folder is reported", async () => {
  const file = join(dataFolder, "file");
  await writeFile(file, "");
  await chmod(file, 0o400);
  await expect(start(join(file, "data"))).rejects.toThrow(/data folder .* cannot be written \(ENOTDIR\)/);
});

test("a data folder may have a name in any language, without characters that a shell interprets", async () => {
  const database = await start(join(dataFolder, "ma's données – 数据"));
  expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  const refused = start(join(dataFolder, "cash$1"));
  await expect(refused).rejects.toThrow(/data folder .*cash\$1 has one of " \$ ` \\ in its path/);
});
