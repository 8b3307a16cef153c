/** Requests are sent by graphql-request's client, and none of its errors reaches a caller. */
import type { RequestMiddleware } from "graphql-request";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SocialConnectError } from "./index.ts";
import { BASE_URL, fakeClient, KEY, notConnected, refusal } from "./testing/fakeApi.ts";
import { OPERATION_CALLS, OPERATION_NAMES } from "./testing/operationCalls.ts";

type Sent = Parameters<RequestMiddleware>[0];

const sent = vi.hoisted((): Sent[] => []);

vi.mock("graphql-request", async (original) => {
  const library = await original<typeof import("graphql-request")>();
  const requestMiddleware: RequestMiddleware = (request) => {
    sent.push(request);
    return request;
  };
  class GraphQLClient extends library.GraphQLClient {
    constructor(...[url, config]: ConstructorParameters<typeof library.GraphQLClient>) {
      super(url, { ...config, requestMiddleware });
    }
  }
  return { ...library, GraphQLClient };
});

beforeEach(() => {
  sent.length = 0;
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

it("sends a document of the caller, and a selection", async () => {
  const { social, user } = fakeClient({ status: { ok: true }, connection: { id: "c" } });
  await social.request("{ status { ok } }");
  await user.connection("c", { select: { id: true } });
  expect(sent.map(({ body }) => JSON.parse(String(body)).query)).toEqual([
    "{ status { ok } }",
    expect.stringContaining("connection("),
  ]);
});
