import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { requestRefresh } from "../modules/jobs/requestRefresh.ts";
import type { Service } from "../modules/service.ts";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication, createRegistrations } from "../modules/testing/builders.ts";
import { createConnection, postsOf } from "../modules/testing/connections.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import { MovableClock } from "../platform/clock.ts";
import type { HttpListener } from "../platform/httpListener.ts";
import { reservePort } from "../platform/ports.ts";
import { Secret } from "../platform/secret.ts";
import { createSecretBox } from "../platform/secretBox.ts";
import { prepareTaskQueues } from "../worker/boss.ts";
import { createTaskQueue } from "../worker/taskQueue.ts";
import type { RunningWorker } from "../worker/worker.ts";
import { startWorker } from "../worker/worker.ts";
import { startClockControl } from "./clockControl.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let service: Omit<TestService, "clock"> & Service;
let application: TestApplication;
let connection: Connection;
let worker: RunningWorker;
let control: HttpListener;
/** Replaces the simulator, whose clock moves too. */
const moved: unknown[] = [];
const simulator = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString("utf8");
  });
  request.on("end", () => {
    moved.push(JSON.parse(body));
    response.end("{}");
  });
});

beforeAll(async () => {
  const secretBox = createSecretBox([{ id: "test", key: new Secret(randomBytes(32).toString("base64")) }]);
  const base = await startTestService({ secretBox });
  const registrations = await createRegistrations(base);
  application = await createApplication(base);
  const clock = new MovableClock(base.pool);
  service = { ...base, clock, queue: createTaskQueue(base.pool, clock) };
  await prepareTaskQueues(base.pool);
  await new Promise<void>((resolve) => simulator.listen(0, "127.0.0.1", resolve));
  const { port } = simulator.address() as AddressInfo;
  const database = { pool: base.pool, prisma: base.prisma, close: async () => undefined };
  control = await startClockControl(database, await reservePort(), `http://127.0.0.1:${port}`);
  const nextScanAt = new Date((await clock.now()).getTime() + 20 * HOUR);
  connection = await createConnection(service, application, registrations, { data: { nextScanAt } });
  worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  // Scheduled purges never run here: only moving the clock starts one.
  await service.pool.query("DELETE FROM pgboss.schedule");
});
afterAll(async () => {
  await worker?.stop();
  await control?.close(1_000);
  simulator.close();
  await service?.close();
});

test("moving the clock runs everything that became due: retries, background reads and the purge", async () => {
  const { fakes, prisma } = service;
  fakes.PROVIDER_A.posts = postsOf(3, await service.clock.now());
  fakes.PROVIDER_A.failNext("listContent", "unavailable");
  const { id } = await requestRefresh(service, application.caller, {
    scope: application.scope,
    connectionId: connection.id,
  });
  const isWaiting = async () => {
    const job = await prisma.job.findUniqueOrThrow({ where: { id } });
    return job.status === "QUEUED" && job.nextRetryAt !== null;
  };
  await eventually(async () => expect(await isWaiting()).toBe(true));
  await advance(10 * 60_000);
  await eventually(async () =>
    expect((await prisma.job.findUniqueOrThrow({ where: { id } })).status).toBe("SUCCEEDED"),
  );
  expect(await prisma.contentItem.count({ where: { connectionId: connection.id } })).toBe(3);

  await advance(DAY);
  const background = { connectionId: connection.id, kind: "SCAN", background: true, status: "SUCCEEDED" } as const;
  await eventually(async () => expect(await prisma.job.count({ where: background })).toBe(1));

  await prisma.connection.update({ where: { id: connection.id }, data: { nextScanAt: null } });
  await advance(31 * DAY);
  await eventually(async () => {
    const posts = await prisma.contentItem.findMany({ where: { connectionId: connection.id } });
    expect(posts.map(({ reason, title }) => [reason, title])).toEqual(Array(3).fill(["EXPIRED", null]));
    expect(await prisma.job.count({ where: { connectionId: connection.id } })).toBe(0);
  });
  expect(moved).toEqual([{ advanceMs: 600_000 }, { advanceMs: DAY }, { advanceMs: 31 * DAY }]);
});

async function advance(advanceMs: number): Promise<void> {
  const response = await fetch(`${control.address}/advance`, { method: "POST", body: JSON.stringify({ advanceMs }) });
  expect(response.status).toBe(200);
}
