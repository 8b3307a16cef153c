/** How the worker delivers events: in turns, with a bounded number of tasks. */

import type { ServerResponse } from "node:http";
import { testEvent } from "@social-connect/domain";
import { eventually, type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { MOST_QUEUED, recordEvents } from "../modules/events/recordEvents.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { gate } from "../modules/testing/gate.ts";
import { createEventEndpoint } from "../modules/testing/rows.ts";
import { real, service, useRealService } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

useRealService();

let receiver: LocalServer;
/** The ids of the events by the path of their endpoint. */
let received: Record<string, string[]> = {};
let answer: (path: string, response: ServerResponse) => unknown;
let worker: RunningWorker | null = null;
let testNumber = 0;

beforeAll(async () => {
  receiver = await serve((request, response) => {
    const path = request.url ?? "";
    received[path] = [...(received[path] ?? []), `${request.headers["webhook-id"]}`];
    answer(path, response);
  });
});
afterAll(() => receiver.close());
beforeEach(() => {
  testNumber += 1;
  received = {};
  answer = (_, response) => response.end();
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
  await service.pool.query("DELETE FROM event_endpoint; DELETE FROM pgboss.job");
});

const start = async () => {
  worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
};

async function open(path: string) {
  const application = await createApplication(real.base, `events-${testNumber}-${path.slice(1)}`);
  await createEventEndpoint(real.base, application, { url: receiver.url + path });
  return application.id;
}

async function record(applicationId: string, times = 1): Promise<void> {
  const now = await service.clock.now();
  const events = Array.from({ length: times }, () => testEvent(applicationId));
  await service.prisma.$transaction((transaction) => recordEvents(service, transaction, now, events));
}

const tasks = async () => {
  const { rows } = await service.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'event' AND state IN ('created', 'retry', 'active')",
  );
  return rows[0]?.count ?? 0;
};
const waiting = (applicationId: string) =>
  service.prisma.eventDelivery.count({ where: { applicationId, status: "WAITING" } });

test("delivers every event of many once, and has a bounded number of tasks of them", async () => {
  const application = await open("/many");
  const many = 3 * MOST_QUEUED;
  await record(application, many);
  expect(await tasks()).toBe(MOST_QUEUED);
  let most = 0;
  answer = async (_, response) => {
    most = Math.max(most, await tasks());
    response.end();
  };
  await start();
  await eventually(async () => expect(await waiting(application)).toBe(0));
  expect(most).toBeGreaterThan(0);
  // Those that run, and have enqueued the next one already.
  expect(most).toBeLessThanOrEqual(MOST_QUEUED + 4);
  expect(received["/many"]).toHaveLength(many);
  expect(new Set(received["/many"]).size).toBe(many);
});

test("endpoints that do not answer hold no other's events back", async () => {
  const held = gate();
  const [silent, slow, prompt] = [await open("/silent"), await open("/slow"), await open("/prompt")];
  answer = async (path, response) => {
    if (path === "/prompt") return response.end();
    await held.passFirst();
    return undefined;
  };
  await record(silent, 20);
  await record(slow, 20);
  await start();
  await held.reached;
  await record(prompt, 5);
  await eventually(() => expect(received["/prompt"]).toHaveLength(5));
  // Four each: the silent ones could not take more.
  expect(received["/silent"]?.length).toBeLessThanOrEqual(4);
  expect(received["/slow"]?.length).toBeLessThanOrEqual(4);
});

test("retries after seconds", async () => {
  const application = await open("/flaky");
  answer = (path, response) => response.writeHead(received[path]?.length === 1 ? 500 : 200).end();
  await record(application);
  await start();
  await eventually(async () => expect(await waiting(application)).toBe(0));
  const [first, second] = received["/flaky"] ?? [];
  expect(second).toBe(first);
});
