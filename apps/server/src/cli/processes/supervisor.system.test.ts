import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import {
  eventually,
  INHERITED_ENVIRONMENT,
  readMetric,
  reservePort,
  runStatement,
  testDatabase,
} from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SERVICE_COMMAND } from "../../../../../packages/testkit/src/harness/startedProgram.ts";
import { withMigrationTurn } from "../../platform/database/migrationTurn.ts";
import { folder as dataFolder, useFolderPerTest } from "../../platform/testing/folderPerTest.ts";

useFolderPerTest();

interface Started {
  readonly child: ChildProcess;
  readonly databaseUrl: string;
  readonly address: string;
  readonly operations: string;
  readonly output: () => string;
}

type AtTheEnd = (run: () => Promise<void>) => void;

/** `social-connect start --processes 2` on its own database, once all processes serve. */
async function startTwo(atTheEnd: AtTheEnd = onTestFinished): Promise<Started> {
  const { url, drop } = await testDatabase();
  atTheEnd(drop);
  const started = await spawnStart(url, ["--processes", "2"], {}, atTheEnd);
  await eventually(() => expect(started.output()).toContain(`listening at ${started.address}`));
  return started;
}

/** `social-connect start --role api`, which starts. */
async function spawnStart(
  url: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<Started> {
  const [port, metricsPort] = [await reservePort(), await reservePort()];
  const [program, ...first] = SERVICE_COMMAND;
  const child = spawn(program, [...first, "start", "--role", "api", ...parameters], {
    env: {
      ...INHERITED_ENVIRONMENT,
      DATA_DIR: dataFolder,
      DATABASE_URL: url,
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString("base64")}`,
      DRAIN_SECONDS: "0",
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  atTheEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const address = `http://127.0.0.1:${port}`;
  const operations = `http://127.0.0.1:${metricsPort}`;
  return { child, databaseUrl: url, address, operations, output: () => output };
}

async function processesOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** Its processes, once two serve. */
function bothOf(started: Started): Promise<readonly number[]> {
  return eventually(async () => {
    expect(await readMetric(started, "social_connect_ready")).toBe(2);
    const processes = await processesOf(started.child);
    expect(processes).toHaveLength(2);
    return processes;
  });
}

async function isAlive(pid: number): Promise<boolean> {
  return await readFile(`/proc/${pid}/stat`, "utf8").then(
    (text) => !/\) Z /.test(text),
    () => false,
  );
}

describe("processes that the tests share, because each test leaves two that serve", () => {
  let started: Started;
  const endings: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    started = await startTwo((run) => void endings.push(run));
  });
  afterAll(async () => {
    for (const end of endings.toReversed()) await end();
  });

  test("replaces a process that was killed while the other one serves", async () => {
    const { child, address } = started;
    const [killed = 0, other = 0] = await bothOf(started);
    process.kill(killed, "SIGKILL");
    await eventually(async () => {
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
      const now = await processesOf(child);
      expect(now).toHaveLength(2);
      expect(now).toContain(other);
      expect(now).not.toContain(killed);
    });
  });

  test("a process that does not respond takes no calls from the other one, and a connection that it took ends with it", async () => {
    const { address } = started;
    const [stopped = 0] = await bothOf(started);
    process.kill(stopped, "SIGSTOP");
    const calls = Array.from({ length: 4 }, () => fetch(`${address}/healthz`));
    expect((await Promise.any(calls)).status).toBe(200);
    process.kill(stopped, "SIGKILL");
    // None waits for the killed process.
    await Promise.allSettled(calls);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
  });

  test("is ready while one process does not answer", async () => {
    const { operations } = started;
    const [stopped = 0] = await bothOf(started);
    process.kill(stopped, "SIGSTOP");
    // They wait for it.
    const metrics = readMetric(started, "social_connect_ready");
    const ready = fetch(`${operations}/readyz`).then(({ status }) => status);
    expect(await Promise.race([ready, metrics])).toBe(200);
    process.kill(stopped, "SIGCONT");
    await metrics;
  });

  test("goes on serving after it asks a process that was killed, but whose end it has not noticed", async () => {
    const { child, operations } = started;
    const [killed = 0] = await bothOf(started);
    const socket = connect(Number(new URL(operations).port), "127.0.0.1");
    const ask = () => new Promise((sent) => socket.write("GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n", sent));
    const answer = async () => String(await once(socket, "data"));
    await ask();
    expect(await answer()).toContain("200 OK");
    // When it continues, it reads the request before it notices that the process has ended.
    child.kill("SIGSTOP");
    await ask();
    process.kill(killed, "SIGKILL");
    await eventually(async () => expect(await isAlive(killed)).toBe(false));
    child.kill("SIGCONT");
    expect(await answer()).toContain("200 OK");
    socket.destroy();
    await bothOf(started);
  });

  test("after a replacement that failed the old processes serve, and the next one succeeds", async () => {
    const { child, databaseUrl, address, output } = started;
    const before = await bothOf(started);
    await allowConnections(databaseUrl, false);
    child.kill("SIGUSR2");
    await eventually(() => expect(output()).toContain("the processes were not all replaced"));
    expect(await processesOf(child)).toEqual(before);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);

    await allowConnections(databaseUrl, true);
    child.kill("SIGUSR2");
    await eventually(async () => {
      const now = await processesOf(child);
      expect(now).toHaveLength(2);
      for (const pid of before) expect(now).not.toContain(pid);
    });
  });
});

test.each([
  ["one process", []],
  ["several processes", ["--processes", "2"]],
])("SIGTERM ends %s that wait for the migrations of another", async (_, parameters) => {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  await withMigrationTurn(url, async (session) => {
    const { child, output } = await spawnStart(url, parameters, { SHUTDOWN_TIMEOUT_SECONDS: "3" });
    await eventually(async () => {
      const { rowCount } = await session.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%'",
      );
      expect(rowCount).toBe(Math.max(1, (await processesOf(child)).length));
    });
    const processes = await processesOf(child);
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(output()).toContain("stopping took longer than SHUTDOWN_TIMEOUT_SECONDS");
    for (const pid of processes) expect(await isAlive(pid)).toBe(false);
  });
});

test("SIGUSR2 replaces every process without a failed request, and SIGTERM stops all", async () => {
  const { child, address, output } = await startTwo();
  const before = await processesOf(child);
  let isDone = false;
  const statuses = new Set<number>();
  const requests = Array.from({ length: 4 }, async () => {
    while (!isDone) statuses.add((await fetch(`${address}/readyz`)).status);
  });
  const all = Promise.all(requests);
  all.catch(() => undefined);
  child.kill("SIGUSR2");
  await eventually(async () => {
    const now = await processesOf(child);
    expect(now).toHaveLength(2);
    for (const pid of before) expect(now).not.toContain(pid);
  });
  isDone = true;
  await all;
  expect([...statuses]).toEqual([200]);

  const after = await processesOf(child);
  child.kill("SIGTERM");
  await once(child, "exit");
  expect(child.exitCode).toBe(0);
  for (const pid of after) expect(await isAlive(pid)).toBe(false);
  expect(output()).not.toContain("unexpectedly");
});

test("processes end with their supervisor", async () => {
  const { child } = await startTwo();
  const processes = await processesOf(child);
  child.kill("SIGKILL");
  await eventually(async () => {
    for (const pid of processes) expect(await isAlive(pid)).toBe(false);
  });
});

/** Whether the database accepts new connections; open ones remain. */
async function allowConnections(databaseUrl: string, isAllowed: boolean): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  await runStatement(url.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
}
