import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type DatabaseEvents, DatabaseSupervisor, MOST_RESTARTS, WINDOW_MS } from "./databaseSupervisor.ts";

/** A database whose process a test can end. */
function fakeDatabase() {
  const log: string[] = [];
  const events: DatabaseEvents = {
    onRestart: () => log.push("restart"),
    onRestarted: () => log.push("restarted"),
    onFailure: ({ message }) => log.push(message),
    onPidChanged: () => log.push(`pid ${supervisor.pid}`),
  };
  const fake = { nowMs: 0, lastPid: 0, startFailure: null as Error | null };
  let endProcess = (_: string): void => undefined;
  const start = async () => {
    if (fake.startFailure !== null) throw fake.startFailure;
    const pid = ++fake.lastPid;
    return { pid, url: "postgres://kept", stop: async () => void log.push(`stop ${pid}`) };
  };
  const endOf = () =>
    new Promise<string>((resolve) => {
      endProcess = resolve;
    });
  const supervisor = new DatabaseSupervisor(start, endOf, () => fake.nowMs);
  const begin = async () => {
    await supervisor.start();
    void supervisor.watch(events);
    await setImmediate();
  };
  /** Ends the process, and waits until its end has been handled. */
  const end = async (atMs: number) => {
    fake.nowMs = atMs;
    const handled = log.length;
    endProcess("it ended");
    await expect.poll(() => log.length > handled && !["restart", "pid null"].includes(log.at(-1) ?? "")).toBe(true);
  };
  return { log, fake, supervisor, begin, end, endProcess: () => endProcess("it ended") };
}

test("a database that ended is started again", async () => {
  const { begin, end, supervisor, log } = fakeDatabase();
  await begin();
  expect(log).toEqual([]);
  await end(0);
  await supervisor.stop();
  expect(log).toEqual(["pid null", "restart", "restarted", "pid 2", "stop 2"]);
});

test("stops after too many restarts within the window, and says where the log is", async () => {
  const { begin, end, supervisor, log } = fakeDatabase();
  await begin();
  for (let count = 0; count <= MOST_RESTARTS; count++) await end(count);
  await supervisor.stop();
  expect(log.filter((entry) => entry === "restart")).toHaveLength(MOST_RESTARTS);
  expect(log.at(-1)).toBe(
    "the embedded database ended unexpectedly 4 times within 5 minutes; its log is postgres.log in the data folder",
  );
});

test("restarts that are far apart do not add up", async () => {
  const { begin, end, supervisor, log } = fakeDatabase();
  await begin();
  for (let count = 0; count <= MOST_RESTARTS; count++) await end((count * WINDOW_MS) / 2);
  await supervisor.stop();
  expect(log.filter((entry) => entry === "restart")).toHaveLength(MOST_RESTARTS + 1);
});

test("a restart that fails is reported with its reason", async () => {
  const { begin, end, supervisor, log, fake } = fakeDatabase();
  await begin();
  fake.startFailure = new Error("the disk is full");
  await end(0);
  await supervisor.stop();
  expect(log).toEqual(["pid null", "restart", "the disk is full"]);
});

test("a database that is being stopped is not restarted", async () => {
  const { begin, endProcess, supervisor, log } = fakeDatabase();
  await begin();
  await supervisor.stop();
  endProcess();
  await setImmediate();
  expect(log).toEqual(["stop 1"]);
});
