/** graphql-request's client sends each attempt and parses its response, and none of its errors reaches a caller. */
import { CORRELATION_ID } from "@social-connect/sdk-core/testing/replies";
import { ClientError, type RequestMiddleware, type ResponseMiddleware } from "graphql-request";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SocialConnectError } from "./index.ts";
import { BASE_URL, fakeClient, KEY, notConnected, refusal, SCOPE } from "./testing/fakeApi.ts";
import { OPERATION_CALLS, OPERATION_NAMES } from "./testing/operationCalls.ts";
import { connection, job } from "./testing/samples.ts";

type Sent = Parameters<RequestMiddleware>[0];
type Answered = Parameters<ResponseMiddleware>[0];

const { clients, sent, answered } = vi.hoisted(() => ({
  clients: [] as string[],
  sent: [] as Sent[],
  answered: [] as Answered[],
}));

vi.mock("graphql-request", async (original) => {
  const library = await original<typeof import("graphql-request")>();
  const requestMiddleware: RequestMiddleware = (request) => {
    sent.push(request);
    return request;
  };
  const responseMiddleware: ResponseMiddleware = (response) => void answered.push(response);
  class GraphQLClient extends library.GraphQLClient {
    constructor(...[url, config]: ConstructorParameters<typeof library.GraphQLClient>) {
      super(url, { ...config, requestMiddleware, responseMiddleware });
      clients.push(url);
    }
  }
  return { ...library, GraphQLClient };
});

beforeEach(() => {
  clients.length = 0;
  sent.length = 0;
  answered.length = 0;
});

describe.each(OPERATION_NAMES)("%s", (name) => {
  const { good, run } = OPERATION_CALLS[name];

  it("passes graphql-request's middleware, without the key", async () => {
    const { social, user, api } = fakeClient({ [name]: good });
    await run(social, user);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.map(({ url, method }) => [url, method])).toEqual(sent.map(() => [`${BASE_URL}/graphql`, "POST"]));
    expect(JSON.parse(String(sent[0]?.body))).toEqual(api.calls[0]?.body);
    expect(JSON.stringify(sent.map(({ headers }) => [...new Headers(headers)]))).not.toContain(KEY.slice(37));
  });

  it.each([
    ["an error of the service", refusal("FORBIDDEN")],
    ["an error with another status", new Response("<h1>no</h1>", { status: 403 })],
    ["a fault of the network", notConnected()],
  ])("ends with an error of the package after %s", async (_, reply) => {
    const { social, user } = fakeClient({ [name]: reply }, { retries: 0 });
    const error: unknown = await run(social, user).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SocialConnectError);
    expect(error).not.toHaveProperty("request");
    expect(sent.length).toBeGreaterThan(0);
  });
});

it("has one client of graphql-request for each client, whatever it calls", async () => {
  const { social, user } = fakeClient({ status: { ok: true }, connection: connection("c"), syncJob: job("RUNNING") });
  await Promise.all([social.request("{ status { ok } }"), user.connection("c"), user.connection("c")]);
  await user.job("c", "j").poll();
  expect(clients).toEqual([`${BASE_URL}/graphql`]);
  fakeClient({});
  expect(clients).toHaveLength(2);
});

describe("a call with retries", () => {
  const head = { "content-type": "application/json", "x-correlation-id": CORRELATION_ID };
  const overloaded = JSON.stringify({ errors: [{ message: "m", extensions: { code: "UPSTREAM_UNAVAILABLE" } }] });
  const good = `{"data":{"connection":${JSON.stringify(connection("c"))}}}`;
  const replies = [
    notConnected(),
    new Response(overloaded, { status: 503, headers: head }),
    new Response("<h1>busy</h1>", { status: 502, headers: { "content-type": "application/json" } }),
    new Response(overloaded, { headers: head }),
    new Response(good, { status: 203, headers: head }),
  ];

  it("passes graphql-request's middleware with each request, and with each response as it arrived", async () => {
    const { user, api } = fakeClient({ connection: replies }, { retries: 4 });
    expect(await user.connection("c")).toEqual(connection("c"));
    expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual(api.calls.map(({ body }) => body));
    expect(sent).toHaveLength(5);
    // A refused connection has no response.
    const responses = answered.map((each) =>
      each instanceof ClientError ? each.response : (each as ClientError["response"]),
    );
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [503, overloaded],
      [502, "<h1>busy</h1>"],
      [200, overloaded],
      [203, good],
    ]);
    expect(responses.map(({ headers }) => headers.get("x-correlation-id"))).toEqual([
      CORRELATION_ID,
      null,
      CORRELATION_ID,
      CORRELATION_ID,
    ]);
    expect(responses.map(({ errors }) => errors?.[0]?.message)).toEqual(["m", undefined, "m", undefined]);
    expect(responses.at(-1)?.data).toEqual({ connection: connection("c") });
  });

  it("sends the same with each request, although the caller has changed an argument", async () => {
    const scope = { ...SCOPE };
    const { social, api } = fakeClient({ connection: [notConnected(), { id: "c" }] });
    const variables = { scope };
    const call = social.request(
      'query Own($scope: SubjectScope!) { connection(scope: $scope, id: "c") { id } }',
      variables,
    );
    await vi.waitUntil(() => api.calls.length > 0);
    scope.tenantKey = "another";
    await call;
    expect(api.calls.map(({ body }) => body.variables)).toEqual([{ scope: SCOPE }, { scope: SCOPE }]);
  });
});

it("sends a document of the caller, and a selection", async () => {
  const { social, user } = fakeClient({ status: { ok: true }, connection: { id: "c" } });
  await social.request("{ status { ok } }");
  await user.connection("c", { select: { id: true } });
  expect(sent.map(({ body }) => JSON.parse(String(body)).query)).toEqual([
    "{ status { ok } }",
    expect.stringContaining("connection("),
  ]);
});
