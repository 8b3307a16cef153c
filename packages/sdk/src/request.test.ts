/** Documents of the caller, on a real HTTP server that runs them on the published schema. */
import { createServer } from "node:http";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { ConfigurationError, Secret } from "@social-connect/sdk-core";
import { CORRELATION_ID } from "@social-connect/sdk-core/testing/replies";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { steppingClock } from "@social-connect/sdk-core/testing/steppingClock";
import { parse } from "graphql";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { ConnectionDocument, StatusDocument } from "./_generated/documents.ts";
import { SocialConnect } from "./client.ts";
import { BadUserInputError } from "./index.ts";
import { KEY, SCOPE } from "./testing/fakeApi.ts";
import { connection, contentPage, post } from "./testing/samples.ts";
import { schemaServer } from "./testing/schemaServer.ts";

const TWO_CONNECTIONS = `query Two($scope: SubjectScope!, $one: ID!, $other: ID!) {
  one: connection(scope: $scope, id: $one) { ...Part }
  other: connection(scope: $scope, id: $other) { ...Part }
}
fragment Part on Connection { id status profile { displayName } }`;

describe("a document of the caller", () => {
  it("as text is sent with its variables and the key, and returns its data", async () => {
    const values = { connection: ({ id }: { id: string }) => connection(id) };
    const { social, requests } = await schemaServer(values);
    const variables = { scope: SCOPE, one: "a", other: "b" };
    const data = await social.request<{ one: { id: string }; other: { id: string } }>(TWO_CONNECTIONS, variables);
    const part = { status: "CONNECTED", profile: null };
    expect(data).toEqual({ one: { id: "a", ...part }, other: { id: "b", ...part } });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.body).toEqual({ query: TWO_CONNECTIONS, variables });
    expect(requests[0]?.headers).toMatchObject({ authorization: [`Bearer ${KEY}`] });
  });

  it("as a typed node of a code generator has the types of its result and variables", async () => {
    interface Result {
      readonly contentItem: { readonly title: string | null } | null;
    }
    interface Variables {
      readonly scope: typeof SCOPE;
      readonly id: string;
    }
    const { social, requests } = await schemaServer();
    // Generators omit `loc`.
    const document: TypedDocumentNode<Result, Variables> = parse(
      `query One($scope: SubjectScope!, $id: String!, $all: Boolean = true) {
        contentItem(scope: $scope, connectionId: "c\\n\\"d\\"", providerContentId: $id) { title @include(if: $all) }
      }`,
      { noLocation: true },
    );
    const data = await social.request(document, { scope: SCOPE, id: "p" });
    expectTypeOf(data).toEqualTypeOf<Result>();
    expect(data).toEqual({ contentItem: { title: "Post p" } });
    expect(parse(requests[0]?.body.query ?? "", { noLocation: true })).toEqual(document);
    // @ts-expect-error -- a variable is missing
    await expect(social.request(document, { scope: SCOPE })).rejects.toThrow(BadUserInputError);
  });

  it("as a typed string of a code generator has its types too, and needs no variables if it has none", async () => {
    const { social } = await schemaServer();
    expect(await social.request(StatusDocument)).toEqual({ status: { ok: true, message: "" } });
    const { connection: found } = await social.request(ConnectionDocument, { scope: SCOPE, id: "c" });
    expectTypeOf(found.syncStatus).toExtend<string>();
    expect(found.id).toBe("c");
  });

  it("may contain a Secret among its variables, which is sent as its text", async () => {
    const { social, requests } = await schemaServer();
    const document = `mutation ($id: ID!, $proof: String!) { redeemIdpIdentityResult(id: $id, tenantKey: "t", resultProof: $proof) { status } }`;
    await social.request(document, { id: "i", proof: new Secret("the proof") });
    expect(requests[0]?.body.variables).toEqual({ id: "i", proof: "the proof" });
  });

  it("removes other fields than the selected ones from the response", async () => {
    const { url, close } = await listening(
      createServer((request, response) => {
        request.resume();
        const found = { id: "c", secret: "x", profile: { displayName: "A", more: {} } };
        const data = `{"a":${JSON.stringify(found)},"other":1,"__proto__":{"polluted":true}}`;
        response.writeHead(200, { "content-type": "application/json" }).end(`{"data":${data}}`);
      }),
    );
    onTestFinished(close);
    const social = new SocialConnect({ baseUrl: url, key: KEY });
    const data = await social.request(`{ a: connection(scope: {}, id: "c") { id ... { profile { displayName } } } }`);
    expect(data).toEqual({ a: { id: "c", profile: { displayName: "A" } } });
    expect(Object.keys(data)).toEqual(["a"]);
  });

  it.each([
    ["a missing field", { data: { a: { id: "c" } } }],
    ["an object for a scalar", { data: { a: { id: {}, tags: [{ x: 1 }] } } }],
    ["a scalar for an object", { data: { a: "c" } }],
    ["a list in a list", { data: { a: [[{ id: "c", tags: [] }]] } }],
    ["no field", { data: {} }],
  ])("rejects a response with %s", async (_, body) => {
    const fetch = async () => Response.json(body);
    const social = new SocialConnect({ baseUrl: "https://a.example", key: KEY, fetch });
    const call = social.request("{ a { id tags { x } } }");
    await expect(call).rejects.toMatchObject({ code: "UNEXPECTED_SHAPE", operation: "request" });
  });

  it("fails with the class, the correlation id and the operation of its error", async () => {
    const { social } = await schemaServer({ connection: () => Promise.reject(new Error("no such connection")) });
    const error: unknown = await social
      .request(ConnectionDocument, { scope: SCOPE, id: "c" })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(BadUserInputError);
    expect(error).toMatchObject({ operation: "connection", correlationId: CORRELATION_ID });
  });
});

describe("a document is refused before it is sent", () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`).join(" ");
  it.each([
    ["an alias too many", `{ status { ${Array.from({ length: 9 }, (_, i) => `a${i}: ok`).join(" ")} } }`, "aliases 8"],
    ["a cost above the limit", `{ status { ${fields(91)} } }`, "cost 100"],
    [
      "a cost above the limit in a fragment",
      `{ status { ...A ...A } } fragment A on ApiStatus { ${fields(46)} }`,
      "cost 100",
    ],
    ["a depth above the limit", `{ ${"a { ".repeat(8)} b ${"}".repeat(8)} }`, "depth 8"],
    ["a circular fragment", "{ status { ...A } } fragment A on ApiStatus { ...A }", "spreads itself"],
    ["a missing fragment", "{ status { ...A } }", "not in the document"],
    ["two operations", "query A { status { ok } } query B { status { ok } }", "exactly one"],
    ["a subscription", "subscription { status { ok } }", "exactly one"],
    ["no operation", "fragment A on ApiStatus { ok }", "exactly one"],
    ["a text that is not a document", "select 1", "not valid GraphQL"],
    ["an unclosed string", '{ a(b: "c) }', "not valid GraphQL"],
    ["an empty selection", "{ status { } }", "not valid GraphQL"],
    ["an empty text", "", "exactly one"],
    ["too many tokens", `{ a(b: [${"1 ".repeat(1_500)}]) }`, "1500 tokens"],
    ["a launch token", "mutation { createConnectSession(input: {}) { id t: launchToken } }", "launchToken"],
    ["a proof in a fragment", "mutation { a { ...B } } fragment B on S { resultProof }", "resultProof"],
    ["a value that is not a document", 5, "document must be a string"],
    ["no document", undefined, "document must be a string"],
    ["null", null, "document must be a string"],
    ["a part of a document", { kind: "Field", name: { kind: "Name", value: "status" } }, "document must be a string"],
    ["a definition of a schema", parse("type A { b: Int }"), "document must be"],
  ])("with %s", async (_, document, problem) => {
    const { social, requests } = await schemaServer();
    const call = social.request(document as string);
    await expect(call).rejects.toThrow(ConfigurationError);
    await expect(call).rejects.toThrow(problem);
    expect(requests).toHaveLength(0);
  });

  it("with variables that exceed the limit of a request, or that JSON cannot represent", async () => {
    const { social, requests } = await schemaServer();
    const document = "query ($a: String) { status { ok } }";
    await expect(social.request(document, { a: "x".repeat(65_536) })).rejects.toThrow("larger than 65536 bytes");
    await expect(social.request(document, { a: "ä".repeat(33_000) })).rejects.toThrow("larger than 65536 bytes");
    await expect(social.request(document, { a: 1n })).rejects.toThrow("cannot be serialized");
    for (const variables of [JSON.parse("null"), [{ id: "i" }]] as never[])
      await expect(social.request(document, variables)).rejects.toThrow("variables must be an object");
    const untyped = { timeout: 5 } as object;
    await expect(social.request(document, {}, untyped)).rejects.toThrow("Did you mean `timeoutMs`?");
    expect(requests).toHaveLength(0);
  });

  it("without repeating a text of it", async () => {
    const { social } = await schemaServer();
    const error = await social.request(`{ a(b: "canary-text") `).catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain("canary-text");
  });
});

describe("a request with a document of the caller is retried", () => {
  const lostOnce = (document: string, data: object) => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      if (sent === 1) throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
      return Response.json({ data });
    };
    const names: string[] = [];
    const hooks = { onRequest: ({ operation }: { operation: string }) => void names.push(operation) };
    const social = new SocialConnect({ baseUrl: "https://a.example", key: KEY, fetch, hooks, clock: steppingClock() });
    return { call: social.request(document), sent: () => sent, names };
  };

  it.each([
    ["a query", "{ a { b } c { d } }", { a: { b: 1 }, c: null }, "request"],
    ["a query of one operation", "query X { content { items { id } } }", { content: { items: [] } }, "content"],
    ["an idempotent mutation", "mutation { requestRefresh { id } }", { requestRefresh: { id: "j" } }, "requestRefresh"],
    [
      "several idempotent mutations",
      "mutation { a: requestRefresh { id } ...B __typename } fragment B on Mutation { disconnectConnection { accepted } }",
      { a: { id: "j" }, disconnectConnection: { accepted: true }, __typename: "Mutation" },
      "request",
    ],
  ])("if it is %s", async (_, document, data, name) => {
    const { call, sent, names } = lostOnce(document, data);
    expect(await call).toEqual(data);
    expect(sent()).toBe(2);
    expect(names).toEqual([name, name]);
  });

  it.each([
    ["a mutation that has another effect", "mutation { requestContentLookup { id } }"],
    [
      "one of several mutations that has another effect",
      "mutation { requestRefresh { id } requestContentLookup { id } }",
    ],
    ["an unknown mutation", "mutation { tomorrow { id } }"],
  ])("but not if it is %s", async (_, document) => {
    const { call, sent } = lostOnce(document, {});
    await expect(call).rejects.toMatchObject({ kind: "transport", mayHaveBeenSent: true });
    expect(sent()).toBe(1);
  });

  it("within its deadline, and until its signal is aborted", async () => {
    const stop = new AbortController();
    const { social } = await schemaServer();
    stop.abort("the visitor left");
    await expect(social.request(StatusDocument, {}, { signal: stop.signal })).rejects.toBe("the visitor left");
    const late = { deadline: new Date(0) };
    await expect(social.request(StatusDocument, {}, late)).rejects.toMatchObject({ code: "TIMED_OUT" });
  });
});

it("reads the posts of several connections in one request", async () => {
  const { social } = await schemaServer({ content: contentPage([post("1"), post("2")]) });
  const page =
    "content(scope: $scope, connectionId: $id, window: $window) { items { title } pageInfo { hasNextPage } }";
  const document = `query ($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) { a: ${page} b: ${page} }`;
  const window = { publishedAfter: "2026-02-01T00:00:00.000Z", publishedBefore: "2026-03-01T00:00:00.000Z", first: 5 };
  const content = { items: [{ title: "Post 1" }, { title: "Post 2" }], pageInfo: { hasNextPage: false } };
  expect(await social.request(document, { scope: SCOPE, id: "c", window })).toEqual({ a: content, b: content });
});
