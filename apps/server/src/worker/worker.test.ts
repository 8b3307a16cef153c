import type { SocialProvider } from "@social-connect/contract";
import { eventually } from "@social-connect/testkit";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import * as calls from "../modules/testing/calls.ts";
import { postsOf } from "../modules/testing/connections.ts";
import { gate } from "../modules/testing/gate.ts";
import { runToEnd } from "../modules/testing/runToEnd.ts";
import { REQUEUE_LOST_TASKS } from "./requeue.ts";
import { TASKS } from "./tasks.ts";
import { real, service, useRealService } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

useRealService();

/** Uses real time instead of the test clock, because the queue's heartbeats and delays use the database's clock. */
const workers: RunningWorker[] = [];

beforeEach(async () => {
  const now = await service.clock.now();
  for (const fake of Object.values(service.fakes)) {
    fake.posts = postsOf(25, now);
    fake.before.clear();
  }
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

test("runs a task only after its transaction commits", async () => {
  await start();
  const connection = await connect("committed");
  const kept = await refresh(connection);
  const undone = await connect("undone");
  const failing = service.prisma.$transaction(async (transaction) => {
    const { applicationId, scopeHash, provider, kind, createdAt } = await rowOf(kept);
    const row = { id: undone.id, connectionId: undone.id, applicationId, scopeHash, provider, kind, createdAt };
    await transaction.job.create({ data: { ...row, status: "QUEUED" } });
    await service.queue.enqueue(transaction, "scan", { id: undone.id, applicationId });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await until(kept, "SUCCEEDED");
  const { rows } = await service.pool.query("SELECT 1 FROM pgboss.job WHERE singleton_key = $1", [undone.id]);
  expect(rows).toEqual([]);
});

test("a slow provider delays neither another provider nor a disconnect", async () => {
  const held = gate();
  service.fakes.PROVIDER_B.before.set("listContent", async () =>
    held.passFirst().then(() => new Promise(() => undefined)),
  );
  await start();
  for (let index = 0; index < 6; index += 1) await refresh(await connect(`slow-${index}`, "PROVIDER_B"));
  await held.reached;
  await until(await refresh(await connect("quick")), "SUCCEEDED");
  const leaving = await connect("leaving", "PROVIDER_B");
  const { revokeJobId, eraseJobId } = await calls.disconnect(service, real.application, leaving);
  await until(revokeJobId, "SUCCEEDED");
  await until(eraseJobId, "SUCCEEDED");
});

test("a stopping worker releases unfinished tasks, which another worker completes", async () => {
  const held = gate();
  service.fakes.PROVIDER_A.before.set("listContent", held.passFirst);
  const worker = await start({ stopTimeoutMs: 1_000 });
  const id = await refresh(await connect("handed-back"));
  await held.reached;
  await worker.stop();
  await start();
  await until(id, "SUCCEEDED");
  expect((await rowOf(id)).attempt).toBe(2);
  held.open();
});

test("requeues a job whose task was lost, and no other", async () => {
  const [lost, queued] = [await refresh(await connect("lost")), await refresh(await connect("queued"))];
  await service.pool.query("DELETE FROM pgboss.job WHERE singleton_key = $1", [lost]);
  expect(await runToEnd(service, [REQUEUE_LOST_TASKS])).toEqual({ requeueLostTasks: 1 });
  expect(await runToEnd(service, [REQUEUE_LOST_TASKS])).toEqual({ requeueLostTasks: 0 });
  await start();
  await until(lost, "SUCCEEDED");
  await until(queued, "SUCCEEDED");
});

test("starts a delayed task at its time, and stores only IDs in the queue", async () => {
  const connection = await connect("later");
  service.fakes.PROVIDER_A.failNext("listContent", "unavailable");
  const id = await refresh(connection);
  await start();
  await until(id, "SUCCEEDED");
  const row = await rowOf(id);
  expect(row.attempt).toBe(2);
  const { rows } = await service.pool.query<{ data: unknown; output: unknown }>(
    "SELECT data, output FROM pgboss.job WHERE singleton_key = $1",
    [id],
  );
  for (const { data, output } of rows) {
    expect(data).toEqual({ task: "scan", payload: { id } });
    expect(output).toBeNull();
  }
});

test("the queue stores nothing of the error of a task", async () => {
  vi.spyOn(TASKS.scan, "run").mockRejectedValueOnce(new Error("canary-7f3a"));
  const id = await refresh(await connect("failing"));
  await start();
  await eventually(async () => {
    const { rows } = await service.pool.query<{ output: string | null }>(
      "SELECT output::text FROM pgboss.job WHERE singleton_key = $1",
      [id],
    );
    const [output] = rows.flatMap((row) => row.output ?? []);
    expect(output).toContain("Task scan failed.");
    expect(output).not.toContain("canary");
  });
  await until(id, "SUCCEEDED");
});

test("a starting worker immediately runs overdue work", async () => {
  const connection = await connect("due");
  const due = new Date((await service.clock.now()).getTime() - 1_000);
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { nextScanAt: due } });
  await start();
  await eventually(async () => {
    const job = await service.prisma.job.findFirst({ where: { connectionId: connection.id, background: true } });
    expect(job?.status).toBe("SUCCEEDED");
  });
  const { nextScanAt } = await service.prisma.connection.findFirstOrThrow({ where: { id: connection.id } });
  expect(nextScanAt?.getTime()).toBeGreaterThan(due.getTime());
});

async function start(options: Parameters<typeof startWorker>[1] = {}): Promise<RunningWorker> {
  const worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5, ...options });
  workers.push(worker);
  return worker;
}

function connect(name: string, provider: SocialProvider = "PROVIDER_A"): Promise<Connection> {
  return real.connect({ provider, accountId: name, externalSubjectId: name });
}

async function refresh(connection: Connection): Promise<string> {
  return (await calls.refresh(service, real.application, connection)).id;
}

function rowOf(id: string) {
  return service.prisma.job.findFirstOrThrow({ where: { id } });
}

async function until(id: string, status: string): Promise<void> {
  await eventually(async () => expect((await rowOf(id)).status).toBe(status));
}
