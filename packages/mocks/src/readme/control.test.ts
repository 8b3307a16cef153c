import { type ConsumerMock, createAdminMock, createConsumerMock } from "@social-connect/mocks";
import { serveMock } from "@social-connect/mocks/node";
import { expect, onTestFinished, test } from "vitest";

interface Answer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** What the mock answers to its own application; null when it cuts the connection. */
async function ask(mock: ConsumerMock, query: string, variables: object = {}): Promise<Answer | null> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${mock.key}` };
  const body = JSON.stringify({ query, variables });
  const response = await mock.fetch(`${mock.baseUrl}/graphql`, { method: "POST", headers, body }).catch(() => null);
  return response && (JSON.parse(await response.text()) as Answer);
}

const CONNECTION = "query ($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { status } }";
const READINESS = "{ integrationReadiness { idpIdentityAvailable } }";

test("a scenario, and what may happen from there", async () => {
  // #region control
  const mock = createConsumerMock({ seed: "library", now: "2026-03-01T09:00:00Z" });
  const { connectionId } = await mock.load("connected-with-content");
  const initial = mock.snapshot();

  const post = mock.connection(connectionId).publish({ title: "New today" });
  await mock.clock.advance("1d"); // deadlines, retention and daily scans follow
  mock.connection(connectionId).account.change(post.id, { visibility: "private" });
  mock.connection(connectionId).loseGrant(); // the person revokes the consent at the provider

  mock.restore(initial);
  // #endregion control
  expect(mock.clock.date()).toEqual(new Date(JSON.parse(initial).state.clockMs));
  expect(await ask(mock, CONNECTION, { scope: mock.scope, id: connectionId })).toMatchObject({
    data: { connection: { status: "CONNECTED" } },
  });
});

test("faults of the service and of providers", async () => {
  const mock = createConsumerMock();
  // #region faults
  mock.faults.next("integrationReadiness", { status: 503 });
  mock.faults.times(3, "*", { delay: "20s" }); // by the mock's clock
  mock.faults.always("connections", { code: "RATE_LIMITED", retryAfterSeconds: 30 });
  mock.faults.next("disconnectConnection", { drop: "after" }); // the operation runs, and its response is lost
  mock.faults.chance(0.1, "content", { malformed: "truncated" }); // the seed selects the requests
  mock.providerFaults.add("PROVIDER_B", "list", { status: 429, retryAfterSeconds: 90 }, { times: 1 });
  // #endregion faults
  expect(mock.faults.list()).toHaveLength(5);
});

test("events of an application", async () => {
  const mock = createConsumerMock();
  const { connectionId } = await mock.load("connected");
  const handled: string[] = [];
  const webhook = async (request: Request, secret: string) => {
    expect(secret).toMatch(/^whsec_/);
    handled.push(((await request.json()) as { type: string }).type);
    return new Response(null, { status: 204 });
  };
  // #region events
  const endpoint = mock.events.sendTo((request) => webhook(request, endpoint.secret)); // your application's handler
  mock.events.fail(503); // the next try; also "hang" and "unreachable"
  mock.connection(connectionId).loseGrant();
  await mock.settle(); // sends it once
  await mock.clock.advance("10s"); // sends it again, with the same webhook-id

  mock.events.duplicate(); // the next event arrives twice
  mock.events.reorder(); // and the one after it a minute late, after others
  endpoint.rotate(); // for a day, both secrets sign
  endpoint.sendTest();
  await mock.settle();
  const types = mock.events.sent().map(({ type, attempt, status }) => `${type} ${attempt} ${status}`);
  // #endregion events
  expect(types).toEqual([
    "connection.reconnect_required 1 503",
    "connection.reconnect_required 2 204",
    "test 1 204",
    "test 1 204",
  ]);
  expect(handled).toEqual(["connection.reconnect_required", "test", "test"]);
});

test("an admin mock and the consumer mock it belongs to", async () => {
  // #region admin
  const consumer = createConsumerMock();
  const admin = createAdminMock({ link: consumer });
  // An admin script with admin.host, admin.fetch and admin.writeKey disables the client:
  const query = `mutation { setClientEnabled(id: "${consumer.application.id}", enabled: false) { enabled } }`;
  await admin.fetch(`${admin.host}/api/admin/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${admin.writeKey}` },
    body: JSON.stringify({ query }),
  });
  // Now the consumer mock rejects the key with FORBIDDEN.
  // #endregion admin
  expect((await ask(consumer, READINESS))?.errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  expect(admin.audit()[0]?.action).toBe("Client disabled");
});

test("the command's control, as the README's lines for a shell write it", async () => {
  const served = await serveMock();
  onTestFinished(() => served.close());
  const control = (path: string, body: object) =>
    fetch(`${served.url}/__mock/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  for (const [path, body] of [
    ["scenarios/connected-with-content", {}],
    ["clock/advance", { by: "10m" }],
    ["faults", { operation: "requestRefresh", times: 1, fault: { drop: "after" } }],
    ["reset", {}],
  ] as const) {
    const answer = await control(path, body);
    expect({ path, status: answer.status, text: answer.status === 200 ? "" : await answer.text() }).toEqual({
      path,
      status: 200,
      text: "",
    });
  }
});

test("a mock that starts with data", async () => {
  // #region seed-data
  const mock = createConsumerMock({
    seed: "library",
    now: "2026-03-01T09:00:00Z",
    accounts: [{ provider: "PROVIDER_A", name: "harbor-workshop", posts: [{ title: "Opening day" }] }],
    connections: [
      { provider: "PROVIDER_A", account: "harbor-workshop" },
      { provider: "PROVIDER_B", status: "RECONNECT_REQUIRED" },
    ],
    faults: [{ operation: "content", times: 2, fault: { code: "RATE_LIMITED", retryAfterSeconds: 3 } }],
  });
  // #endregion seed-data
  expect(mock.connections().map(({ state }) => state.status)).toEqual(["CONNECTED", "RECONNECT_REQUIRED"]);
});
