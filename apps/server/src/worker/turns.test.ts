import type { Capability } from "@social-connect/contract";
import { type NewRead, resolveSyncWindow } from "@social-connect/domain";
import { eventually } from "@social-connect/testkit";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Connection, Job } from "../_generated/prisma/client.ts";
import { createReadJobs } from "../modules/jobs/readJobs.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { startInitialReads } from "../modules/testing/calls.ts";
import { createConnection, postsOf } from "../modules/testing/connections.ts";
import { real, service, useRealService } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

useRealService();

let worker: RunningWorker | undefined;

beforeAll(async () => {
  service.fakes.PROVIDER_A.posts = postsOf(1, await service.clock.now());
});
afterEach(async () => {
  await worker?.stop();
  await service.pool.query("DELETE FROM pgboss.job");
  await service.prisma.job.deleteMany();
});

test("the first read of a new account runs before 3,000 scans that another application has waiting", async () => {
  const busy = await real.connect({ data: { lastSuccessfulSyncAt: await service.clock.now() } });
  await enqueueScans(busy, 3_000);
  const connection = await connectElsewhere("patient");
  await startInitialReads(service, connection);
  worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  await eventually(async () => expect(await count(connection, "SUCCEEDED")).toBe(1));
  expect(await count(busy, "SUCCEEDED")).toBeLessThan(100);
});

test("applications with work of the same kind take turns", async () => {
  const busy = await real.connect({ accountId: "busy" });
  await enqueueScans(busy, 20);
  const connection = await connectElsewhere("later");
  await enqueueScans(connection, 3);
  const order = (await waiting()).map(({ application }) =>
    application === connection.applicationId ? "later" : "busy",
  );
  expect(order.slice(0, 8)).toEqual(["busy", "later", "busy", "later", "busy", "later", "busy", "busy"]);
});

test("long tasks of one application leave a slot of the worker to the others", async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.fakes.PROVIDER_A.before.set("listContent", () => released);
  const slow = await real.connect({ accountId: "slow" });
  await enqueueScans(slow, 10);
  worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  await eventually(async () => expect(await count(slow, "RUNNING")).toBe(3));
  const connection = await connectElsewhere("quick", "PROFILE", service.fakes.PROVIDER_A.account.providerAccountId);
  // After each the fourth slot looks for more, and would find a slow one.
  for (const reads of [1, 2, 3, 4, 5]) {
    await enqueueReads(connection, 1, { kind: "PROFILE" });
    await eventually(async () => expect(await count(connection, "SUCCEEDED")).toBe(reads));
  }
  expect(await count(slow, "RUNNING")).toBe(3);
  release();
});

async function connectElsewhere(
  slug: string,
  capability: Capability = "CONTENT_LIST",
  accountId = slug,
): Promise<Connection> {
  const application = await createApplication(real.base, slug);
  return createConnection(service, application, real.registrations, { accountId, capabilities: [capability] });
}

async function enqueueScans(owner: Connection, number: number): Promise<void> {
  await enqueueReads(owner, number, { kind: "SCAN", window: resolveSyncWindow(null, await service.clock.now()) });
}

async function enqueueReads(owner: Connection, number: number, target: NewRead<Job>["target"]): Promise<void> {
  const read = { target, background: true, continues: null };
  const reads = Array.from({ length: number }, () => ({ owner, read }));
  const now = await service.clock.now();
  await service.prisma.$transaction((transaction) => createReadJobs(service, transaction, reads, now));
}

function count({ id }: Connection, status: "RUNNING" | "SUCCEEDED"): Promise<number> {
  return service.prisma.job.count({ where: { connectionId: id, status } });
}

/** The waiting tasks in the order in which they run. */
async function waiting(): Promise<{ application: string }[]> {
  const { rows } = await service.pool.query<{ application: string }>(
    "SELECT group_id AS application FROM pgboss.job WHERE state = 'created' ORDER BY priority DESC, created_on, id",
  );
  return rows;
}
