import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { eventually, runStatement, testDatabase } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { reservePort } from "../../platform/ports.ts";
import { folder as dataFolder } from "../../platform/testing/folderPerTest.ts";

const COMMAND = fileURLToPath(new URL("../cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

interface Started {
  readonly child: ChildProcess;
  readonly databaseUrl: string;
  readonly address: string;
  readonly output: () => string;
}

/** `social-connect start --processes 2` on a database of this test, once all processes serve. */
async function startTwo(): Promise<Started> {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  const port = await reservePort();
  const child = spawn(process.execPath, [...FLAGS, COMMAND, "start", "--role", "api", "--processes", "2"], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataFolder,
      DATABASE_URL: url,
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString("base64")}`,
      DRAIN_SECONDS: "0",
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const address = `http://127.0.0.1:${port}`;
  await eventually(() => expect(output).toContain(`listening at ${address}`));
  return { child, databaseUrl: url, address, output: () => output };
}

async function processesOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

async function isAlive(pid: number): Promise<boolean> {
  return await readFile(`/proc/${pid}/stat`, "utf8").then(
    (text) => !/\) Z /.test(text),
    () => false,
  );
}

test("replaces a process that was killed while the other one serves", async () => {
  const { child, address } = await startTwo();
  const before = await processesOf(child);
  expect(before).toHaveLength(2);
  const [killed = 0, other = 0] = before;
  process.kill(killed, "SIGKILL");
  await eventually(async () => {
    // A connection that was handed to the killed process is never answered.
    expect((await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2_000) })).status).toBe(200);
    const now = await processesOf(child);
    expect(now).toHaveLength(2);
    expect(now).toContain(other);
    expect(now).not.toContain(killed);
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

test("after a replacement that failed the old processes serve, and the next one succeeds", async () => {
  const { child, databaseUrl, address, output } = await startTwo();
  const before = await processesOf(child);
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
