import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { serveMock } from "../node/serve.ts";

/** Listens at the address of the mock, to detect requests that reach the network. */
let arrived = 0;
const network = createServer((socket) => {
  arrived += 1;
  socket.destroy();
}).listen(0, "127.0.0.1");
await once(network, "listening");
const address = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;

const mock = createConsumerMock({ seed: "bad input", baseUrl: address });
const { baseUrl, key, scope } = mock;
const server = setupServer(...mock.handlers());

const HEADERS = { "content-type": "application/json", authorization: `Bearer ${key}` };
const posted = (body: NonNullable<RequestInit["body"]>, headers: object = {}): RequestInit => ({
  method: "POST",
  headers: { ...HEADERS, ...headers },
  body,
});
const asked = (query: unknown, rest: object = {}) => posted(JSON.stringify({ query, ...rest }));
const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, at) => text(at));
const LISTED = "query List($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";
const STATUS = "{ status { ok } }";

/** Requests that the schema, the limits or the envelope reject, with the error. */
const DOCUMENTS: readonly (readonly [what: string, init: RequestInit, told: string])[] = [
  [
    "an operation that there is not",
    asked("{ contents { id } }"),
    'field "contents" on type "Query" (line 1, column 3).',
  ],
  ["a field that there is not", asked("{ status { okay } }"), 'field "okay" on type "ApiStatus" (line 1, column 12).'],
  ["an argument that is missing", asked("{ connections { items { id } } }"), 'argument "scope"'],
  ["an argument of another type", asked("{ connections(scope: 5) { items { id } } }"), "SubjectScope!"],
  ["an argument that there is not", asked("{ status(verbose: true) { ok } }"), 'Unknown argument "verbose"'],
  ["a variable of another type", asked(LISTED, { variables: { scope: { ...scope, tenantKey: 5 } } }), "String"],
  ["a variable that is missing", asked(LISTED), "$scope"],
  ["variables that are a list", asked(STATUS, { variables: [] }), "`variables` must be an object."],
  ["nine aliases", asked(`{ ${many(9, (at) => `a${at}: status { ok }`).join(" ")} }`), "exceeds the limit of 8"],
  [
    "too many root fields",
    asked(
      `{ ${many(8, (at) => `a${at}: status { ok message }`).join(" ")} status { ok message } integrationReadiness { idpIdentityAvailable } }`,
    ),
    "exceeds the limit of 100",
  ],
  ["a document too deep", asked(`{ status ${"{ a ".repeat(9)}${"} ".repeat(9)} }`), "exceeds the limit of 8"],
  ["a document without end", asked(`{ status ${"{ a ".repeat(5_000)}`), "tokens"],
  [
    "fragments that go round",
    asked("{ status { ...A } } fragment A on ApiStatus { ...B } fragment B on ApiStatus { ...A }"),
    "within itself",
  ],
  ["two operations", asked("query A { status { ok } } query B { status { ok } }"), "exactly one operation"],
  ["an operation by another name", asked(`query A ${STATUS}`, { operationName: "B" }), 'Unknown operation named "B"'],
  ["a subscription", asked("subscription { status { ok } }"), "Only queries and mutations"],
  ["introspection", asked("{ __schema { types { name } } }"), "Introspection is disabled"],
  ["a batch", posted(`[${JSON.stringify({ query: STATUS })}]`), "Batched requests are not accepted"],
  ["no query", asked(undefined), "`query`"],
  ["no document", asked("{"), "Syntax Error"],
  ["no JSON", posted("query"), "not valid JSON"],
  ["no UTF-8", posted(new Uint8Array([0x7b, 0x22, 0xff, 0xfe])), "not valid JSON"],
  ["nothing", posted(""), "not valid JSON"],
  [
    "another media type",
    posted(JSON.stringify({ query: STATUS }), { "content-type": "text/plain" }),
    "application/json",
  ],
];

const ELSEWHERE: readonly (readonly [what: string, path: string, init: RequestInit, status: number])[] = [
  ["GET", "/graphql", {}, 405],
  ["HEAD", "/graphql", { method: "HEAD" }, 405],
  ["PUT", "/graphql", { ...asked(STATUS), method: "PUT" }, 405],
  ["DELETE", "/graphql", { method: "DELETE" }, 405],
  ["a browser's preflight", "/graphql", { method: "OPTIONS", headers: { origin: "https://app.example.test" } }, 405],
  ["a slash too many", "/graphql/", asked(STATUS), 404],
  ["two slashes", "//graphql", asked(STATUS), 404],
  ["another case", "/GraphQL", asked(STATUS), 404],
  ["a letter in code", "/%67raphql", asked(STATUS), 404],
  ["a path of others", "/wp-admin.php", {}, 404],
  ["an invalid code", "/%ff", {}, 404],
  ["the root", "/", {}, 404],
  ["GET of the admin API", "/api/admin/graphql", {}, 405],
  ["GET of the launch address", "/api/connect/redeem", {}, 405],
  ["a provider that there is not", "/api/connect/callback/provider-z", {}, 404],
  ["a command that there is not", "/__mock/nothing", {}, 404],
  ["a body over 64 KiB", "/graphql", asked(STATUS, { variables: { long: "x".repeat(64 * 1_024) } }), 413],
  ["a body of megabytes", "/graphql", asked(STATUS, { variables: { long: "x".repeat(5_000_000) } }), 413],
  ["a body of megabytes, elsewhere", "/nothing", posted("x".repeat(5_000_000)), 404],
];

beforeEach(() => {
  arrived = 0;
});
afterAll(() => network.close());

test("what is passed on to the network would be noticed", async () => {
  await expect(globalThis.fetch(baseUrl)).rejects.toThrow(TypeError);
  expect(arrived).toBe(1);
});

describe("by the mock's fetch and by MSW, and never by the network", () => {
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  beforeEach(() => mock.reset());
  afterEach(() => expect(arrived, "requests that were passed on").toBe(0));
  afterAll(() => server.close());
  const transports: readonly (readonly [string, typeof globalThis.fetch])[] = [
    ["fetch", mock.fetch],
    ["MSW", (input, init) => globalThis.fetch(input, init)],
  ];

  test.each(DOCUMENTS)("%s is refused as the service refuses it", async (_, init, told) => {
    for (const [transport, fetch] of transports) {
      const answer = await fetch(`${baseUrl}/graphql`, init);
      const { errors, ...rest } = (await answer.json()) as { errors: { message: string; extensions: object }[] };
      expect([transport, answer.status, rest]).toEqual([transport, 400, {}]);
      expect(errors[0]?.message).toContain(told);
      expect(errors[0]?.extensions).toEqual({
        code: "BAD_USER_INPUT",
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
  });

  test.each(ELSEWHERE)("%s (%s) is answered by the mock", async (_, path, init, status) => {
    for (const [transport, fetch] of transports) {
      const answer = await fetch(`${baseUrl}${path}`, init);
      expect([transport, answer.status]).toEqual([transport, status]);
      if (init.method === "HEAD" || status === 413) expect(await answer.text()).toBe("");
    }
  });

  test.each([
    ["another host", "https://elsewhere.example.test/graphql"],
    ["another port", "http://127.0.0.1:1/graphql"],
    ["another scheme", `${baseUrl.replace("http", "https")}/graphql`],
    ["an unknown path", "/graphql"],
    ["an address with a name and a password", `${baseUrl.replace("//", "//a:b@")}/graphql`],
  ])("%s is a failed fetch", async (_, url) => {
    await expect(mock.fetch(url, asked(STATUS))).rejects.toThrow(TypeError);
  });

  test("rejects a request that fetch rejects", async () => {
    await expect(mock.fetch(`${baseUrl}/graphql`, { method: "GET", body: "{}" })).rejects.toThrow(TypeError);
    await expect(mock.fetch(`${baseUrl}/graphql`, { method: "TRACE" })).rejects.toThrow(TypeError);
  });

  test("MSW reports a request to an unknown host", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await expect(globalThis.fetch("https://elsewhere.example.test/")).rejects.toThrow(TypeError);
    said.mockRestore();
    expect(mock.calls.all()).toEqual([]);
  });
});

test("by the command, over HTTP, all of it is the same", async () => {
  const served = await serveMock({ seed: "bad input" });
  try {
    for (const [what, init, told] of DOCUMENTS) {
      const answer = await globalThis.fetch(`${served.url}/graphql`, init);
      expect([what, answer.status]).toEqual([what, 400]);
      expect(await answer.text(), what).toContain(JSON.stringify(told).slice(1, -1));
    }
    for (const [what, path, init, status] of ELSEWHERE) {
      // Over HTTP the root is the mock's inspection page.
      const expected = path === "/" ? 200 : status;
      expect([what, (await globalThis.fetch(`${served.url}${path}`, init)).status]).toEqual([what, expected]);
    }
  } finally {
    await served.close();
  }
});
