/** Requests of the panel are sent by graphql-request's client, and its errors become failures. */
import type { RequestMiddleware } from "graphql-request";
import { beforeEach, expect, test, vi } from "vitest";

const sent = vi.hoisted((): unknown[] => []);

vi.mock("graphql-request", async (original) => {
  const library = await original<typeof import("graphql-request")>();
  const requestMiddleware: RequestMiddleware = (request) => {
    sent.push(request.url);
    return request;
  };
  class GraphQLClient extends library.GraphQLClient {
    constructor(...[url, config]: ConstructorParameters<typeof library.GraphQLClient>) {
      super(url, { ...config, requestMiddleware });
    }
  }
  return { ...library, GraphQLClient };
});

const answers: Response[] = [];
const requests: { readonly url: string; readonly body: unknown }[] = [];
vi.stubGlobal("window", { addEventListener: () => undefined });
vi.stubGlobal("navigator", { onLine: true });
// The panel retries a lost connection.
vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
vi.stubGlobal("location", { origin: "https://panel.example" });
vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
  requests.push({ url, body: init?.body });
  const answer = answers.shift();
  if (answer === undefined) throw new TypeError("fetch failed");
  return answer;
});
const { request } = await import("./request.ts");

beforeEach(() => {
  answers.length = 0;
  requests.length = 0;
  sent.length = 0;
});

const QUERY = "query Names { names }";
const failing = (extensions: object, status = 200) =>
  Response.json({ data: null, errors: [{ message: "No.", extensions }] }, { status });

test("sends a query by graphql-request", async () => {
  answers.push(Response.json({ data: { names: ["a"] } }));
  expect(await request<unknown, Record<string, never>>(QUERY)).toEqual({ names: ["a"] });
  expect(sent).toEqual(["https://panel.example/panel/graphql"]);
  expect(requests).toEqual([{ url: "/panel/graphql", body: JSON.stringify({ query: QUERY, variables: {} }) }]);
});

test.each([
  ["an error", failing({ code: "NOT_FOUND", correlationId: "c-1" }), { code: "NOT_FOUND", correlationId: "c-1" }],
  ["an error with another status", failing({ code: "CONFLICT", reason: "X" }, 400), { code: "CONFLICT", reason: "X" }],
  ["a page of a gateway", new Response("<h1>502</h1>", { status: 502 }), { code: "UNREACHABLE" }],
  ["a request that is too large", new Response("", { status: 413 }), { code: "BAD_USER_INPUT" }],
  ["another page", new Response("<h1>hello</h1>"), { code: "UPSTREAM_UNAVAILABLE" }],
])("%s becomes a failure", async (_, answer, expected) => {
  answers.push(answer);
  const failure: unknown = await request<unknown, Record<string, never>>(QUERY).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "Failure", ...expected });
  expect(Object(failure).stack).not.toContain("Names");
});

test("no response is UNREACHABLE", async () => {
  await expect(request<unknown, Record<string, never>>(QUERY)).rejects.toMatchObject({ code: "UNREACHABLE" });
});
