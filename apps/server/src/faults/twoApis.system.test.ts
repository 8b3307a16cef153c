import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import type { GraphQLAnswer } from "../http/testing/testServer.ts";
import { IDENTITY_RETURN_URL, issueKey, RETURN_URL } from "../modules/testing/builders.ts";
import { scopeOf } from "../modules/testing/connections.ts";
import { real, useRealService } from "../worker/testing/realTimeService.ts";
import {
  type ApiProcess,
  CREATE_CONNECT_SESSION,
  CREATE_IDENTITY_SESSION,
  READINESS,
  REQUEST_REFRESH,
  startApi,
} from "./testing/apiProcess.ts";

useRealService();

/** A connection for each of the concurrent calls: none fails because it waited too long for one. */
const ROOM = { DATABASE_POOL_SIZE: "32" };

let first: ApiProcess;
let second: ApiProcess;
const processes = new AsyncDisposableStack();

beforeAll(async () => {
  [first, second] = await Promise.all([
    startApi(processes, real, ROOM),
    startApi(processes, real, { ...ROOM, DRAIN_SECONDS: "3" }),
  ]);
});
afterAll(() => processes.disposeAsync());

test("of 40 parallel connect sessions of one subject exactly 5 are created, and another subject has its own 5", async () => {
  const create = (externalSubjectId: string) => (api: ApiProcess) => {
    const scope = { ...real.application.scope, externalSubjectId };
    const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL };
    return api.call(CREATE_CONNECT_SESSION, { input });
  };
  const [answers, others] = await Promise.all([onBoth(40, create("one")), onBoth(6, create("two"))]);
  expect(tally(answers)).toEqual({ made: 5, RATE_LIMITED: 35 });
  expect(tally(others)).toEqual({ made: 5, RATE_LIMITED: 1 });
  expect(await real.service.prisma.connectAttempt.count()).toBe(10);
  expect(answers.find(({ code }) => code !== undefined)?.errors[0]?.extensions.retryAfterSeconds).toBeGreaterThan(500);
});

test("of 40 parallel identity sessions of an application exactly 20 are created", async () => {
  const input = { tenantKey: real.application.tenantKey, returnUrl: IDENTITY_RETURN_URL };
  const answers = await onBoth(40, (api) => api.call(CREATE_IDENTITY_SESSION, { input }));
  expect(tally(answers)).toEqual({ made: 20, RATE_LIMITED: 20 });
  expect(await real.service.prisma.identityAttempt.count()).toBe(20);
});

test("of 60 parallel refreshes exactly 20 are in flight, and those of one window are one job", async () => {
  const connections: Connection[] = [];
  for (let index = 0; index < 60; index += 1) connections.push(await real.connect({ accountId: `account-${index}` }));
  const answers = await onBoth(60, (api, index) => refresh(api, connections[index] as Connection));
  expect(tally(answers)).toEqual({ made: 20, RATE_LIMITED: 40 });
  expect(await real.service.prisma.job.count({ where: { status: "QUEUED" } })).toBe(20);
  expect(answers.find(({ code }) => code !== undefined)?.errors[0]?.extensions.retryAfterSeconds).toBe(60);

  await real.service.prisma.job.deleteMany();
  const same = await onBoth(30, (api) => refresh(api, connections[0] as Connection));
  expect(tally(same)).toEqual({ made: 30 });
  expect(await real.service.prisma.job.count()).toBe(1);
});

test("a revoked key is rejected immediately, even by a process that accepted it before", async () => {
  const key = await issueKey(real.base, real.application.id);
  for (const api of [first, second]) expect((await api.call(READINESS, {}, key)).code).toBeUndefined();
  const revokedAt = await real.service.clock.now();
  await real.service.prisma.applicationKey.update({ where: { id: key.split(".")[0] ?? "" }, data: { revokedAt } });
  for (const api of [first, second]) expect((await api.call(READINESS, {}, key)).code).toBe("UNAUTHENTICATED");
});

test("slow headers and slow bodies do not delay other responses", async () => {
  const { hostname, port } = new URL(first.url);
  const sockets = Array.from({ length: 300 }, (_, index) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    const head = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    socket.write(index % 2 === 0 ? head : `${head}Content-Length: 60000\r\n\r\n{"query":"`);
    return socket;
  });
  try {
    for (let round = 0; round < 5; round += 1) expect((await first.call(READINESS)).code).toBeUndefined();
    // No connection was closed for it: a body may take half a minute.
    expect(sockets.filter((socket, index) => index % 2 === 1 && socket.closed)).toEqual([]);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const large = await fetch(`${first.url}/healthz`, { headers: { "x-large": "a".repeat(80 * 1_024) } });
  expect(large.status).toBe(431);
});

test("on SIGTERM under load readiness fails first, no connection is reset, and the process shuts down cleanly", async () => {
  let isStopping = false;
  const answered: unknown[] = [];
  const load = Array.from({ length: 8 }, async () => {
    // Like a load balancer: no new request once readiness has failed.
    while (!isStopping) answered.push((await second.call(READINESS)).code);
  });
  while (answered.length < 20) await second.status("/healthz");
  second.program.child.kill("SIGTERM");
  while ((await second.status("/readyz")) === 200) expect(second.program.hasEnded()).toBe(false);
  expect(await second.status("/healthz")).toBe(200);
  isStopping = true;
  await Promise.all(load);
  expect(new Set(answered)).toEqual(new Set([undefined]));
  await second.program.untilEnded();
  expect(second.program.child.exitCode).toBe(0);
  await expect(second.status("/healthz")).rejects.toThrow();
});

/** Concurrent calls, alternating between the processes. */
function onBoth(
  count: number,
  call: (api: ApiProcess, index: number) => Promise<GraphQLAnswer>,
): Promise<GraphQLAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index % 2 === 0 ? first : second, index)));
}

function tally(answers: readonly GraphQLAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code = "made" } of answers) counts[String(code)] = (counts[String(code)] ?? 0) + 1;
  return counts;
}

function refresh(api: ApiProcess, connection: Connection): Promise<GraphQLAnswer> {
  return api.call(REQUEST_REFRESH, { scope: scopeOf(connection), connectionId: connection.id });
}
