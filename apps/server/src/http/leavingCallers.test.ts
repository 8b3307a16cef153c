import { connect, type Socket } from "node:net";
import { eventually } from "@social-connect/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CallLanes } from "../graphql/shared/callLanes.ts";
import { RETURN_URL } from "../modules/testing/builders.ts";
import { application, service, useApplicationPerTest } from "../modules/testing/fixtures.ts";
import { whileLocked } from "../modules/testing/outcomes.ts";
import { type HttpListener, listen } from "../platform/network/httpListener.ts";
import { createHttpHandler } from "./server.ts";
import { NO_PANEL, query, testLanes } from "./testing/testServer.ts";

useApplicationPerTest();

const CONNECT = { provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL };
const TOKEN = "a".repeat(64);
const FORM = `launchToken=${TOKEN}`;
const FORM_TYPE = "content-type: application/x-www-form-urlencoded";
const READ = "query ($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";
const LOCK_ATTEMPTS = "LOCK TABLE connect_attempt IN ACCESS EXCLUSIVE MODE";
const STRANGERS = { slots: 3, slotsOfOwner: 2, starts: 1_000, startsWhenLate: 1_000 };

let lanes: CallLanes;
let listener: HttpListener;
let server: { readonly url: string };
let sockets: Socket[];

beforeEach(async () => {
  lanes = testLanes(service, undefined, undefined, STRANGERS);
  const handler = createHttpHandler({ service, lanes, isReady: async () => true, panelFolder: NO_PANEL });
  // The service's own listener, which knows pipelined requests.
  listener = await listen(handler, "127.0.0.1", 0);
  server = { url: listener.address };
  sockets = [];
});
afterEach(async () => {
  leave();
  await listener.close(0);
});

function send(line: string, headers: readonly string[] = [], body = "", times = 1): void {
  const { hostname, port } = new URL(server.url);
  const head = [`${line} HTTP/1.1`, `host: ${hostname}`, `content-length: ${body.length}`, ...headers].join("\r\n");
  const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n${body}`.repeat(times)));
  socket.on("error", () => undefined).resume();
  sockets.push(socket);
}

function leave(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

const sendForm = (times = 1) => send("POST /api/connect/redeem", [FORM_TYPE], FORM, times);
const admitted = () => ({ inProgress: lanes.admission.inProgress, waiting: lanes.admission.waiting });

/** Statements of the service that wait for the lock. */
async function countBlocked(): Promise<number> {
  const { rows } = await service.reads.pool.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%connect_attempt%'`,
  );
  return rows[0]?.count;
}

test("requests of callers without a key wait for their turn before any work, and leave the queue with their caller", async () => {
  await whileLocked(service, LOCK_ATTEMPTS, [], async () => {
    for (let sent = 0; sent < 40; sent += 1) sendForm();
    await eventually(async () => expect(admitted()).toEqual({ inProgress: 2, waiting: 38 }));
    expect(await countBlocked()).toBe(2);
    // Other kinds, calls with a key and the probes do not wait for them.
    expect((await fetch(`${server.url}/unknown`)).status).toBe(404);
    const { data } = await query(server, application.key, READ, { scope: application.scope });
    expect(data).toEqual({ connections: { items: [] } });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    leave();
    await eventually(async () => expect(lanes.admission.waiting).toBe(0));
  });
  await eventually(async () => expect(admitted()).toEqual({ inProgress: 0, waiting: 0 }));
});

test.each([
  ["a form", () => sendForm()],
  ["a callback", () => send(`GET /api/connect/callback/provider-a?state=${TOKEN}&code=x`)],
  ["a call that writes", () => send("POST /graphql", KEY(), CREATE())],
])("the statement of %s ends when its caller has left", async (_, begin) => {
  await whileLocked(service, LOCK_ATTEMPTS, [], async () => {
    begin();
    await eventually(async () => expect(await countBlocked()).toBe(1));
    leave();
    await eventually(async () => expect(await countBlocked()).toBe(0));
  });
  expect(await service.prisma.connectAttempt.count({ where: { applicationId: application.id } })).toBe(0);
});
const KEY = () => [`authorization: Bearer ${application.key}`, "content-type: application/json"];
const CREATE = () =>
  JSON.stringify({
    query: "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }",
    variables: { input: { ...CONNECT, scope: application.scope } },
  });

test("pipelined requests of a connection are answered one at a time, and end with it", async () => {
  await whileLocked(service, LOCK_ATTEMPTS, [], async () => {
    sendForm(8);
    await eventually(async () => expect(await countBlocked()).toBe(1));
    expect(admitted()).toEqual({ inProgress: 1, waiting: 0 });
    leave();
    await eventually(async () => expect(admitted()).toEqual({ inProgress: 0, waiting: 0 }));
  });
});
