import { json } from "node:stream/consumers";
import { eventually, HOSTILE_PAGES, type LocalServer, rawRequest, reservePort, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { refresh } from "../modules/testing/calls.ts";
import { postsOf } from "../modules/testing/connections.ts";
import type { HttpListener } from "../platform/network/httpListener.ts";
import { MovableClock } from "../platform/time/clock.ts";
import { type RealTimeService, startServiceOnClock } from "../worker/testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "../worker/worker.ts";
import { startClockControl } from "./clockControl.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let real: RealTimeService<MovableClock>;
let connection: Connection;
let worker: RunningWorker;
let control: HttpListener;
/** Replaces the simulator, whose clock moves too. */
let simulator: LocalServer;
const moved: unknown[] = [];
const connectionHeaders: unknown[] = [];
/** The status of the simulator's next answer. */
let simulatorStatus = 200;

beforeAll(async () => {
  real = await startServiceOnClock((pool) => new MovableClock(pool));
  const { service } = real;
  simulator = await serve(async (request, response) => {
    moved.push(await json(request));
    connectionHeaders.push(request.headers.connection);
    response.writeHead(simulatorStatus).end("{}");
  });
  const { pool, prisma, hotReads } = service;
  const database = {
    pool,
    prisma,
    hotReads,
    hotPool: pool,
    errors: new Map<string, number>(),
    close: async () => undefined,
  };
  control = await startClockControl(database, await reservePort(), simulator.url);
  const nextScanAt = new Date((await service.clock.now()).getTime() + 20 * HOUR);
  connection = await real.connect({ data: { nextScanAt } });
  worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  // Scheduled purges never run here: only moving the clock starts one.
  await service.pool.query("DELETE FROM pgboss.schedule");
});
afterAll(async () => {
  await worker?.stop();
  await control?.close(1_000);
  await simulator?.close();
  await real?.service.close();
});

test("moving the clock runs everything that became due: retries, background reads and the purge", async () => {
  const { service, application } = real;
  const { fakes, prisma } = service;
  fakes.PROVIDER_A.posts = postsOf(3, await service.clock.now());
  fakes.PROVIDER_A.failNext("listContent", "unavailable");
  const { id } = await refresh(service, application, connection);
  const job = () => prisma.job.findFirstOrThrow({ where: { id } });
  await eventually(async () => expect(await job()).toMatchObject({ status: "QUEUED", nextRetryAt: expect.any(Date) }));
  await advance(10 * 60_000);
  await eventually(async () => expect((await job()).status).toBe("SUCCEEDED"));
  expect(await prisma.contentItem.count({ where: { connectionId: connection.id } })).toBe(3);

  await advance(DAY);
  const background = { connectionId: connection.id, kind: "SCAN", background: true, status: "SUCCEEDED" } as const;
  await eventually(async () => expect(await prisma.job.count({ where: background })).toBe(1));

  await prisma.connection.updateMany({ where: { id: connection.id }, data: { nextScanAt: null } });
  await advance(31 * DAY);
  await eventually(async () => {
    const posts = await prisma.contentItem.findMany({ where: { connectionId: connection.id } });
    expect(posts.map(({ reason, title }) => [reason, title])).toEqual(Array(3).fill(["EXPIRED", null]));
    expect(await prisma.job.count({ where: { connectionId: connection.id } })).toBe(0);
  });
  expect(moved).toEqual([{ advanceMs: 600_000 }, { advanceMs: DAY }, { advanceMs: 31 * DAY }]);
});

test("the clock of the simulator is moved on a new connection, and its refusal is reported", async () => {
  connectionHeaders.length = 0;
  await advance(0);
  expect(connectionHeaders).toEqual(["close"]);
  simulatorStatus = 500;
  const response = await send(0);
  expect([response.status, await response.json()]).toEqual([503, { error: "The simulator's clock returned 500: {}" }]);
  simulatorStatus = 200;
});

test.each(HOSTILE_PAGES)("the clock is not available to a page: %s", async (_, headers) => {
  const now = async () => JSON.parse((await rawRequest(control.address)).text).now as string;
  const before = new Date(await now()).getTime();
  const body = JSON.stringify({ advanceMs: DAY });
  const refused = await rawRequest(`${control.address}/advance`, { method: "POST", headers, body });
  expect(refused.status).toBe(403);
  // The control is every other test, which advances it.
  expect(new Date(await now()).getTime() - before).toBeLessThan(DAY);
});

function send(advanceMs: number): Promise<Response> {
  return fetch(`${control.address}/advance`, { method: "POST", body: JSON.stringify({ advanceMs }) });
}

async function advance(advanceMs: number): Promise<void> {
  expect((await send(advanceMs)).status).toBe(200);
}

test("the address in a browser names the command that moves the clock", async () => {
  const { toAdvance } = JSON.parse((await rawRequest(control.address)).text);
  const [, body = "", url = ""] = /^curl -X POST -d '(.*)' (http:\S+)$/.exec(toAdvance) ?? [];
  expect([JSON.parse(body), url]).toEqual([{ advanceMs: 600_000 }, `${control.address}/advance`]);
});
