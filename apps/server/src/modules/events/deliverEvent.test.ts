import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { EVENT_RETRY_DELAYS_SECONDS } from "@social-connect/contract";
import { connectionEvent, jobEvent, testEvent } from "@social-connect/domain";
import { type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { EventEndpoint, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { application, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { createEventEndpoint } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { deliverEvent } from "./deliverEvent.ts";
import { ENQUEUE_DUE_DELIVERIES } from "./enqueueDue.ts";
import { newEventSecret, sealEventSecret } from "./eventSecret.ts";
import { recordEvents } from "./recordEvents.ts";

useApplicationPerTest();

const DAY = 86_400_000;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let receiver: LocalServer;
let received: Received[] = [];
let answer: (response: ServerResponse) => unknown;

beforeAll(async () => {
  receiver = await serve((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      answer(response);
    });
  });
});
afterAll(() => receiver.close());
beforeEach(() => {
  received = [];
  answer = (response) => response.end();
  service.enqueued.splice(0);
});

const status = (code: number, headers: Record<string, string> = {}) => {
  answer = (response) => response.writeHead(code, headers).end();
};
const open = (data: Partial<Prisma.EventEndpointUncheckedCreateInput> = {}) =>
  createEventEndpoint(service, application, { url: `${receiver.url}/secret-path`, ...data });
const record = (event = testEvent(application.id), times = 1) =>
  service.prisma.$transaction((transaction) =>
    recordEvents(service, transaction, service.clock.current, Array<typeof event>(times).fill(event)),
  );
const deliveries = () =>
  service.prisma.eventDelivery.findMany({ where: { applicationId: application.id }, orderBy: { createdAt: "asc" } });
const only = async () => {
  const [delivery, ...others] = await deliveries();
  if (delivery === undefined || others.length > 0) throw new Error("There is not one delivery.");
  return delivery;
};
const endpointOf = ({ id }: EventEndpoint) => service.prisma.eventEndpoint.findFirstOrThrow({ where: { id } });
const suspended = () => {
  const of = { id: newId(), applicationId: application.id, provider: "PROVIDER_A", ...application.scope } as const;
  const event = connectionEvent("CONNECTED", { ...of, status: "SUSPENDED" }, null);
  if (event === null) throw new Error("There is no event.");
  return event;
};

test("sends the event with its id and signatures, and stores its success", async () => {
  const endpoint = await open();
  const event = suspended();
  await record(event);
  const { id, eventId } = await only();
  await deliverEvent(service, { id, applicationId: application.id });
  const [{ headers, body } = expect.fail("nothing was received")] = received;
  expect(JSON.parse(body)).toEqual({
    type: "connection.suspended",
    timestamp: service.clock.current.toISOString(),
    data: {
      provider: "PROVIDER_A",
      ...application.scope,
      connectionId: event.connectionId,
      status: "SUSPENDED",
      code: null,
    },
  });
  const timestamp = `${Math.floor(service.clock.current.getTime() / 1_000)}`;
  expect(headers).toMatchObject({ "webhook-id": eventId, "webhook-timestamp": timestamp });
  const secret = service.secretBox.open(endpoint.secretSealed, `event_endpoint:${endpoint.id}:secret`);
  const signature = createHmac("sha256", Buffer.from(secret.slice(6), "base64"));
  const expected = signature.update(`${eventId}.${timestamp}.${body}`).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  expect(await only()).toMatchObject({
    status: "SUCCEEDED",
    tries: 1,
    responseStatus: 200,
    problem: null,
    nextTryAt: null,
  });
  expect(await endpointOf(endpoint)).toMatchObject({ lastSucceededAt: service.clock.current, failingSince: null });
});

test("signs with both secrets until the previous one ends", async () => {
  const endpoint = await open();
  const { id } = endpoint;
  const previousSecretUntil = service.clock.fromNow(1_000);
  const previousSecretSealed = sealEventSecret(service.secretBox, id, newEventSecret());
  await service.prisma.eventEndpoint.updateMany({ where: { id }, data: { previousSecretSealed, previousSecretUntil } });
  const signatures = async () => {
    await record();
    for (const delivery of await deliveries()) await deliverEvent(service, delivery);
    return `${received.at(-1)?.headers["webhook-signature"]}`.split(" ").length;
  };
  expect(await signatures()).toBe(2);
  service.clock.advance(1_000);
  expect(await signatures()).toBe(1);
});

test("repeats a failed try with the same id and body until the schedule ends", async () => {
  const endpoint = await open();
  status(500);
  await record(suspended());
  const { id: delivery } = await only();
  for (const [index, delaySeconds] of EVENT_RETRY_DELAYS_SECONDS.entries()) {
    await deliverEvent(service, { id: delivery, applicationId: application.id });
    const { status: state, tries, nextTryAt } = await only();
    expect([state, tries]).toEqual(["WAITING", index + 1]);
    const waitMs = (nextTryAt?.getTime() ?? 0) - service.clock.current.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(delaySeconds * 1_000);
    expect(waitMs).toBeLessThanOrEqual(delaySeconds * 1_200);
    // Before its time, a task finds nothing to do.
    await deliverEvent(service, { id: delivery, applicationId: application.id });
    service.clock.advance(waitMs);
  }
  await deliverEvent(service, { id: delivery, applicationId: application.id });
  expect(await only()).toMatchObject({
    status: "FAILED",
    tries: 11,
    problem: "STATUS",
    responseStatus: 500,
    nextTryAt: null,
  });
  expect(received).toHaveLength(11);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect((await endpointOf(endpoint)).failingSince).toBeInstanceOf(Date);
});

test("enqueues the next try, and the sweep one that is due later", async () => {
  await open();
  status(503, { "retry-after": "120" });
  await record();
  const { id } = await only();
  service.enqueued.splice(0);
  await deliverEvent(service, { id, applicationId: application.id });
  const nextTryAt = (await only()).nextTryAt?.getTime() ?? 0;
  expect(nextTryAt - service.clock.current.getTime()).toBeGreaterThanOrEqual(120_000);
  expect(service.enqueued).toEqual([]);
  service.clock.advance(60_000);
  await runToEnd(service, [ENQUEUE_DUE_DELIVERIES]);
  expect(service.enqueued).toEqual([{ task: "deliver", payload: { id }, startAfter: new Date(nextTryAt) }]);
});

test("410 turns the endpoint off, ends what waits for it, and is audited", async () => {
  const endpoint = await open();
  const other = await open({ url: `${receiver.url}/other` });
  status(410);
  await record(suspended(), 3);
  const own = (await deliveries()).filter(({ endpointId }) => endpointId === endpoint.id);
  const [first] = own;
  if (first !== undefined) await deliverEvent(service, first);
  expect(await endpointOf(endpoint)).toMatchObject({ enabled: false, turnedOffReason: "GONE" });
  expect(await endpointOf(other)).toMatchObject({ enabled: true });
  const ended = (await deliveries()).filter(({ endpointId }) => endpointId === endpoint.id);
  expect(ended.map(({ status: state }) => state)).toEqual(["FAILED", "FAILED", "FAILED"]);
  expect(ended.filter(({ problem }) => problem === "ENDPOINT_OFF")).toHaveLength(2);
  const [entry] = await service.prisma.auditEntry.findMany({
    where: { targetId: application.id },
    orderBy: { at: "desc" },
  });
  expect(entry).toMatchObject({ actor: "System", action: "Event endpoint turned off" });
  expect(entry?.summary).toContain("GONE");
  expect(entry?.summary).not.toContain("secret-path");
});

test("an endpoint that fails for five days is turned off, unless it succeeds once", async () => {
  const endpoint = await open();
  status(500);
  await record();
  await deliverEvent(service, await only());
  service.clock.advance(5 * DAY);
  status(200);
  await deliverEvent(service, await only());
  expect(await endpointOf(endpoint)).toMatchObject({ enabled: true, failingSince: null });
  status(500);
  await record();
  const next = async () =>
    (await deliveries()).find(({ status: state }) => state === "WAITING") ?? expect.fail("none waits");
  await deliverEvent(service, await next());
  service.clock.advance(5 * DAY);
  await deliverEvent(service, await next());
  expect(await endpointOf(endpoint)).toMatchObject({ enabled: false, turnedOffReason: "FAILING" });
});

test("discards the result of a try that another worker has overtaken", async () => {
  await open();
  await record();
  const { id } = await only();
  answer = async (response) => {
    await service.prisma.eventDelivery.updateMany({ where: { id }, data: { tries: 1 } });
    response.writeHead(500).end();
  };
  await deliverEvent(service, { id, applicationId: application.id });
  expect(await only()).toMatchObject({ status: "WAITING", tries: 1, problem: null, lastTriedAt: null });
});

test("a secret that cannot be decrypted is a fault of the service, and is tried again", async () => {
  await open({ secretSealed: "v1.lost.a.b" });
  await record();
  await deliverEvent(service, await only());
  expect(await only()).toMatchObject({ status: "WAITING", tries: 1, problem: "LOCAL" });
  expect(received).toEqual([]);
});

test("sends nothing for a delivery that has ended, was erased, or whose endpoint is off", async () => {
  const endpoint = await open();
  await record();
  const { id } = await only();
  await service.prisma.eventEndpoint.updateMany({ where: { id: endpoint.id }, data: { enabled: false } });
  await deliverEvent(service, { id, applicationId: application.id });
  expect(await only()).toMatchObject({ status: "FAILED", problem: "ENDPOINT_OFF" });
  await deliverEvent(service, { id, applicationId: application.id });
  await deliverEvent(service, { id: newId(), applicationId: application.id });
  expect(received).toEqual([]);
});

test("a receipt holds ids only once its last delivery has ended", async () => {
  await open();
  await open({ url: `${receiver.url}/other` });
  const job = { id: newId(), applicationId: application.id, connectionId: newId(), provider: "PROVIDER_A" } as const;
  const receipt = {
    ...job,
    kind: "REVOKE",
    background: false,
    requested: false,
    status: "SUCCEEDED",
    errorCode: null,
  } as const;
  await record(jobEvent(receipt, application.scope) ?? expect.fail("no event"));
  const eventOf = () => service.prisma.event.findFirstOrThrow({ where: { applicationId: application.id } });
  for (const [index, delivery] of (await deliveries()).entries()) {
    expect((await eventOf()).externalSubjectId).toBe(application.scope.externalSubjectId);
    await deliverEvent(service, delivery);
    expect(JSON.parse(received[index]?.body ?? "").data).toMatchObject(application.scope);
  }
  expect(await eventOf()).toMatchObject({ tenantKey: null, externalSubjectId: null, jobId: job.id });
});

test("logs one line for each try, with the receiver's origin only", async () => {
  const { logger, lines } = recordingLogger("info");
  const before = service.logger;
  Object.assign(service, { logger });
  try {
    await open();
    status(418);
    await record(suspended());
    await deliverEvent(service, await only());
  } finally {
    Object.assign(service, { logger: before });
  }
  expect(lines).toHaveLength(1);
  const [line = ""] = lines;
  expect(JSON.parse(line)).toMatchObject({
    msg: "event delivery",
    status: "WAITING",
    responseStatus: 418,
    problem: "STATUS",
    origin: receiver.url,
    attempt: 1,
  });
  expect(line).not.toContain("secret-path");
  expect(line).not.toContain(application.scope.externalSubjectId);
});
