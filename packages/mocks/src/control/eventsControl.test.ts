import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CAPABILITIES } from "@social-connect/contract";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ConsumerMock, createConsumerMock } from "../mock/consumerMock.ts";
import { ask, CONNECT, connectInput } from "../testing/post.ts";

const IDENTITY = "mutation ($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id } }";

async function begin(mock: ConsumerMock, input: object = {}): Promise<string> {
  const { data } = await ask<{ createConnectSession: { id: string } }>(mock, CONNECT, connectInput(mock, input));
  return data?.createConnectSession.id ?? "";
}

async function connect(mock: ConsumerMock, input: object = {}): Promise<string> {
  return mock.connect(await begin(mock, input)).complete().connectionId ?? "";
}

/** Types and codes of what was sent. */
function told(mock: ConsumerMock): string[] {
  return mock.events.sent().map(({ type, body }) => {
    const { code } = JSON.parse(body).data;
    return code ? `${type} ${code}` : type;
  });
}

/** A mock with an endpoint that accepts everything. */
function receiving(options: object = {}) {
  const mock = createConsumerMock(options);
  return { mock, endpoint: mock.events.sendTo() };
}

test("a handler of the process receives a signed request by the mock's clock", async () => {
  const mock = createConsumerMock();
  const received: { headers: Headers; body: string; at: Date }[] = [];
  const { secret } = mock.events.sendTo(async (request) => {
    received.push({ headers: request.headers, body: await request.text(), at: mock.clock.date() });
    return new Response(null, { status: 204 });
  });
  const sessionId = await begin(mock);
  const { connectionId } = mock.connect(sessionId).complete();
  const at = mock.clock.date();
  expect(received).toEqual([]);
  await mock.clock.advance("10ms");
  expect(received).toHaveLength(1);
  const [{ headers, body, at: sentAt } = { headers: new Headers(), body: "", at }] = received;
  expect(sentAt).toEqual(new Date(at.getTime() + 10));
  expect(JSON.parse(body)).toEqual({
    type: "connect.completed",
    timestamp: at.toISOString(),
    data: {
      provider: "PROVIDER_A",
      ...mock.scope,
      attemptId: sessionId,
      connectionId,
      status: "COMPLETED",
      code: null,
    },
  });
  const signed = ["webhook-id", "webhook-timestamp"].map((name) => headers.get(name)).concat(body);
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  expect(key).toHaveLength(32);
  expect(headers.get("webhook-signature")).toBe(
    `v1,${createHmac("sha256", key).update(signed.join(".")).digest("base64")}`,
  );
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("webhook-id")).toBe(mock.events.list()[0]?.id);
});

describe("sends the change", () => {
  test.each([
    ["denied", (mock: ConsumerMock, id: string) => mock.connect(id).deny(), "connect.denied USER_DENIED"],
    ["failed", (mock, id) => mock.connect(id).fail(), "connect.failed PROVIDER_ERROR"],
    ["expired", (mock, id) => mock.connect(id).expire(), "connect.expired DEADLINE_PASSED"],
    ["expired unnoticed", (mock) => mock.clock.advance("10m"), "connect.expired DEADLINE_PASSED"],
    ["canceled", (mock, id) => mock.connect(id).cancel("APPLICATION_DISABLED"), undefined],
  ] as readonly [string, (mock: ConsumerMock, id: string) => unknown, string | undefined][])(
    "of an attempt that is %s",
    async (_, end, event) => {
      const { mock } = receiving();
      await end(mock, await begin(mock));
      await mock.settle();
      expect(told(mock)).toEqual(event === undefined ? [] : [event]);
    },
  );

  test("of a connection, once", async () => {
    const { mock } = receiving();
    const id = await connect(mock);
    await mock.settle();
    mock.events.clear();
    const connection = mock.connection(id);
    connection.suspend();
    connection.resume();
    connection.loseGrant({ appRemoved: true });
    connection.disconnect();
    expect(() => connection.disconnect()).toThrow();
    await mock.settle();
    expect(told(mock)).toEqual([
      "connection.suspended",
      "connection.restored",
      "connection.reconnect_required AUTHORIZATION_REMOVED",
      "connection.disconnected BY_APPLICATION",
      "receipt.revoke",
      "receipt.erase",
    ]);
  });

  test("of a deletion at the provider, and a reconnect", async () => {
    const { mock } = receiving();
    const provider = "PROVIDER_C";
    const id = await connect(mock, { provider });
    mock.connection(id).loseGrant();
    mock.connect(await begin(mock, { provider, reconnectConnectionId: id })).complete();
    mock.connection(id).account.requestDeletion();
    await mock.settle();
    expect(told(mock)).toEqual([
      "connect.completed",
      "connection.reconnect_required GRANT_ENDED",
      "connection.restored",
      "connect.completed",
      "connection.disconnected AT_PROVIDER",
      "receipt.revoke REVOKE_UNSUPPORTED",
      "receipt.erase",
    ]);
  });

  test("of a job that the application requested, and not of background work", async () => {
    const { mock } = receiving();
    const connectionId = await connect(mock, { capabilities: CAPABILITIES });
    await mock.settle();
    await mock.clock.advance("2d");
    const refresh = `mutation ($scope: SubjectScope!, $connectionId: ID!) {
      requestRefresh(scope: $scope, connectionId: $connectionId) { id } }`;
    const request = () => ask<{ requestRefresh: { id: string } }>(mock, refresh, { scope: mock.scope, connectionId });
    const ids = [];
    for (const how of ["succeed", "fail"] as const) {
      const id = (await request()).data?.requestRefresh.id ?? "";
      mock.job(id)[how]();
      ids.push(id);
      await mock.settle();
    }
    expect(told(mock)).toEqual(["connect.completed", "job.succeeded", "job.failed UPSTREAM_UNAVAILABLE"]);
    const data = mock.events
      .list()
      .slice(1)
      .map((event) => event.data);
    expect(data.map(({ jobId, externalSubjectId }) => [jobId, externalSubjectId])).toEqual(
      ids.map((id) => [id, "user-1"]),
    );
  });

  test("of a sign-in, without the user", async () => {
    const { mock } = receiving();
    for (const how of ["signIn", "deny", "fail"] as const) {
      const input = { tenantKey: "acme", returnUrl: mock.identityReturnUrl };
      const { data } = await ask<{ createIdpIdentitySession: { id: string } }>(mock, IDENTITY, { input });
      mock.identity(data?.createIdpIdentitySession.id ?? "")[how]();
    }
    await mock.settle();
    expect(told(mock)).toEqual(["identity.completed", "identity.denied", "identity.failed"]);
    const [{ data } = { data: {} }] = mock.events.list();
    expect(Object.keys(data)).toEqual(["tenantKey", "attemptId", "status", "code"]);
  });
});

test("without an endpoint nothing is stored, and a later one receives nothing from before", async () => {
  const mock = createConsumerMock();
  await connect(mock);
  expect(mock.events.list()).toEqual([]);
  const endpoint = mock.events.sendTo();
  endpoint.turnOff();
  await connect(mock, { provider: "PROVIDER_B" });
  endpoint.turnOn();
  await mock.settle();
  expect(mock.events.list()).toHaveLength(1);
  expect(told(mock)).toEqual([]);
});

test("two endpoints receive their types, each with its own secret", async () => {
  const mock = createConsumerMock();
  const all = mock.events.sendTo();
  const some = mock.events.sendTo("http://127.0.0.1:1/events", { types: ["connection.disconnected"] });
  const id = await connect(mock);
  await mock.settle();
  mock.connection(id).disconnect();
  await mock.settle();
  const typesOf = (endpointId: string) =>
    mock.events.sent().flatMap((sent) => (sent.endpointId === endpointId ? sent.type : []));
  expect(typesOf(all.id)).toEqual(["connect.completed", "connection.disconnected", "receipt.revoke", "receipt.erase"]);
  expect(typesOf(some.id)).toEqual(["connection.disconnected"]);
  expect(some.secret).not.toBe(all.secret);
  expect(() => mock.events.sendTo()).toThrow("at most 2 event endpoints");
  expect(mock.createApplication().events.endpoints()).toEqual([]);
});

describe("a failed try", () => {
  test.each([
    [500, "STATUS"],
    [302, "REDIRECT"],
    ["hang", "TIMEOUT"],
    ["unreachable", "CONNECTION"],
  ] as const)("after %s is repeated with the same id", async (failure, problem) => {
    const { mock } = receiving({ jitter: 0 });
    mock.events.fail(failure);
    await connect(mock);
    await mock.settle({ within: "11s" });
    const [first] = mock.events.list();
    expect(first?.deliveries).toMatchObject([{ status: "WAITING", tries: 1, problem }]);
    await mock.clock.advance("5s");
    expect(mock.events.sent().map(({ id, attempt, status }) => [id, attempt, status])).toEqual([
      [first?.id, 1, typeof failure === "number" ? failure : null],
      [first?.id, 2, 204],
    ]);
    expect(mock.events.list()[0]?.deliveries).toMatchObject([{ status: "SUCCEEDED", tries: 2, problem: null }]);
  });

  test("ends with the schedule, and an endpoint that failed for five days is off", async () => {
    const { mock, endpoint } = receiving({ jitter: 0 });
    mock.events.fail(500, 1_000);
    await connect(mock);
    await mock.clock.advance("4d");
    expect(mock.events.list()[0]?.deliveries).toMatchObject([{ status: "FAILED", tries: 11, nextTryAt: null }]);
    endpoint.sendTest();
    await mock.clock.advance("2d");
    expect(endpoint.state).toMatchObject({ enabled: false, turnedOffReason: "FAILING" });
  });

  test("with 410 turns the endpoint off", async () => {
    const { mock, endpoint } = receiving();
    mock.events.fail(410);
    mock.connection(await connect(mock)).loseGrant();
    await mock.settle();
    expect(endpoint.state).toMatchObject({ enabled: false, turnedOffReason: "GONE" });
    expect(mock.events.list().map(({ deliveries }) => deliveries[0]?.problem)).toEqual(["STATUS", "ENDPOINT_OFF"]);
    endpoint.turnOn();
    expect(mock.events.resend({ failed: true })).toBe(2);
    await mock.settle();
    expect(told(mock)).toHaveLength(3);
  });

  test("obeys Retry-After", async () => {
    const mock = createConsumerMock({ jitter: 0 });
    const responses = [new Response(null, { status: 503, headers: { "retry-after": "120" } }), new Response()];
    mock.events.sendTo(() => responses.shift() ?? Response.error());
    mock.events.endpoint(mock.events.endpoints()[0]?.id ?? "").sendTest();
    await mock.clock.advance("119s");
    expect(mock.events.sent()).toHaveLength(1);
    await mock.clock.advance("2s");
    expect(mock.events.sent()).toHaveLength(2);
  });

  test("follows from a handler that throws", async () => {
    const mock = createConsumerMock();
    mock.events
      .sendTo(() => {
        throw new Error("a bug of the handler");
      })
      .sendTest();
    await mock.settle();
    expect(mock.events.sent()).toMatchObject([{ type: "test", status: 500 }]);
  });
});

test("sends an event twice, and events in another order", async () => {
  const { mock, endpoint } = receiving();
  mock.events.duplicate();
  mock.events.reorder();
  for (let count = 0; count < 3; count += 1) {
    endpoint.sendTest();
    await mock.clock.advance("1s");
  }
  await mock.settle();
  const ids = mock.events.list().map(({ id }) => id);
  expect(mock.events.sent().map(({ id }) => ids.indexOf(id))).toEqual([0, 0, 2, 1]);
});

test("a rotation signs with both secrets for 24 hours", async () => {
  const mock = createConsumerMock();
  let signed = "";
  const endpoint = mock.events.sendTo(({ headers }) => {
    signed = headers.get("webhook-signature") ?? "";
    return new Response();
  });
  const { secret } = endpoint;
  expect(endpoint.rotate()).not.toBe(secret);
  const signatures = async () => {
    endpoint.sendTest();
    await mock.clock.advance("1s");
    return signed.split(" ").length;
  };
  expect(await signatures()).toBe(2);
  await mock.clock.advance("1d");
  expect(await signatures()).toBe(1);
});

test("an erasure deletes the connection's events; receipts hold ids only once they were sent", async () => {
  const { mock } = receiving();
  const id = await connect(mock);
  mock.connection(id).disconnect();
  await mock.settle();
  const sent = mock.events.sent().map(({ body }) => JSON.parse(body).data.externalSubjectId);
  expect(new Set(sent)).toEqual(new Set(["user-1"]));
  expect(mock.events.list().map(({ type, data }) => [type, data["connectionId"], data["externalSubjectId"]])).toEqual([
    ["receipt.revoke", id, null],
    ["receipt.erase", id, null],
  ]);
  await mock.clock.advance("31d");
  expect(mock.events.list()).toEqual([]);
});

test("a snapshot contains endpoints without secrets, and continues a delivery", async () => {
  const { mock, endpoint } = receiving();
  mock.events.fail("hang");
  endpoint.sendTest();
  await mock.clock.advance("1s");
  const [{ secret }, snapshot] = [endpoint, mock.snapshot()];
  expect(snapshot).not.toContain(secret);
  mock.reset();
  expect(mock.events.endpoints()).toEqual([]);
  mock.restore(snapshot);
  expect(mock.events.endpoints()).toMatchObject([{ secret }]);
  await mock.clock.advance("1m");
  expect(mock.events.list()[0]?.deliveries).toMatchObject([{ status: "SUCCEEDED", tries: 2 }]);
});

test("a handler may read what an event is about, with the mock's clock", async () => {
  const mock = createConsumerMock();
  const seen: unknown[] = [];
  mock.events.sendTo(async (request) => {
    const { data } = (await request.json()) as { data: { connectionId: string } };
    await mock.clock.sleep(1_000);
    const query = "query ($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { status } }";
    seen.push((await ask(mock, query, { scope: mock.scope, id: data.connectionId })).data);
    return new Response();
  });
  await connect(mock);
  await mock.settle();
  expect(seen).toEqual([{ connection: { status: "CONNECTED" } }]);
});

test("a URL of this machine receives events, and no other does", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on("data", (part: Buffer) => bodies.push(part.toString()));
    request.on("end", () => response.end("x".repeat(5_000)));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await vi.waitFor(() => expect(server.listening).toBe(true));
  const mock = createConsumerMock();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  mock.events.sendTo(url).sendTest();
  await mock.settle();
  expect(JSON.parse(bodies.join(""))).toMatchObject({ type: "test", data: {} });
  expect(mock.events.list()[0]?.deliveries).toMatchObject([{ status: "SUCCEEDED" }]);
  for (const other of ["https://app.example.com/events", "http://10.0.0.1/events", "ftp://localhost/", "here"])
    expect(() => mock.events.sendTo(other)).toThrow(/event/);
});

test("the data of the options has endpoints, which a reset restores", async () => {
  const mock = createConsumerMock({
    connections: [{ provider: "PROVIDER_A", status: "RECONNECT_REQUIRED" }],
    eventEndpoints: [{ url: "http://localhost:3000/events", types: ["connect.completed"] }],
  });
  const endpoints = mock.events.endpoints();
  expect(endpoints).toMatchObject([{ url: "http://localhost:3000/events", types: ["connect.completed"] }]);
  mock.reset();
  expect(mock.events.endpoints()).toEqual(endpoints);
  expect(mock.events.list()).toEqual([]);
  await mock.load("connected-with-content");
  expect(mock.events.endpoints()).toEqual(endpoints);
  expect(mock.events.list()).toEqual([]);
});

test("a running clock sends events without a request", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const mock = createConsumerMock({ now: "system" });
  mock.events.sendTo().sendTest();
  await vi.advanceTimersByTimeAsync(20);
  expect(mock.events.list()[0]?.deliveries).toMatchObject([{ status: "SUCCEEDED" }]);
});
