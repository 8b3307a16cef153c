import { leastCpuMsOf } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import { post, query, server, useServer } from "../../http/testing/testServer.ts";
import { issueKey } from "../../modules/testing/builders.ts";
import { application, service } from "../../modules/testing/fixtures.ts";

useServer();

/** The CPU time limit of one rejection; a valid call costs about 1 ms. */
const BOUND_MS = 100;

const aliases = (count: number) => Array.from({ length: count }, (_, at) => `a${at}: __typename`).join(" ");
const fragments = Array.from({ length: 500 }, (_, at) => `fragment F${at} on Query { ...F${(at + 1) % 500} }`);

const DOCUMENTS = {
  "60,000 brackets": "[".repeat(60_000),
  "a selection 16,000 deep": "{a".repeat(16_000),
  "1,000 aliases of __typename": `{ ${aliases(1_000)} }`,
  "1,000 aliases in a fragment": `{ ...F } fragment F on Query { ${aliases(1_000)} }`,
  "5,000 directives": `{ status ${"@include(if: true) ".repeat(3_000)} { ok } }`,
  "many unknown directives": `{ status ${"@aa".repeat(20_000)} { ok } }`,
  "a cycle of fragments": `{ ...F0 } ${fragments.join(" ")}`,
  "a fragment that spreads itself": "{ ...F } fragment F on Query { ...F ...F }",
  "a comment of 60,000 letters": `{ status { ok } nope } #${"a".repeat(60_000)}`,
  "an unterminated string": `{ connection(id: "${"\\u0041".repeat(8_000)}`,
} as const;

test.each(Object.entries(DOCUMENTS))("refuses %s with 400 and in under 100 ms of CPU time", async (_, text) => {
  const send = async () => {
    const answer = await query(server, application.key, text);
    expect(answer).toMatchObject({ status: 400, code: "BAD_USER_INPUT" });
  };
  expect(await leastCpuMsOf(send, BOUND_MS)).toBeLessThan(BOUND_MS);
});

describe("without a valid key", () => {
  const spreads = `{ status { ${Array.from({ length: 60 }, (_, at) => `...f${at}`).join(" ")} } }`;
  const variables = { values: Array.from({ length: 1_000 }, () => ({})) };

  test.each([
    ["a large document", "[".repeat(2_000), {}],
    ["a document of many tokens", spreads, {}],
    ["large variables", "{ status { ok } }", variables],
  ])("%s is UNAUTHENTICATED before it is read", async (_, text, values) => {
    for (const key of [null, `${application.key.split(".")[0]}.${"0".repeat(64)}`])
      expect(await query(server, key, text, values)).toMatchObject({ status: 200, code: "UNAUTHENTICATED" });
    // The control: with the key it is read.
    const read = await query(server, application.key, text, values);
    expect(read.code).toBe(text.startsWith("{ status { ok") ? undefined : "BAD_USER_INPUT");
  });

  test("a large invalid document is UNAUTHENTICATED with a key that was valid before", async () => {
    const revoked = await issueKey(service, application.id);
    expect((await query(server, revoked, spreads)).code).toBe("BAD_USER_INPUT");
    await service.prisma.applicationKey.updateMany({
      where: { id: revoked.split(".")[0] ?? "" },
      data: { revokedAt: service.clock.current },
    });
    expect((await query(server, revoked, spreads)).code).toBe("UNAUTHENTICATED");
  });

  test("a small document is read: an invalid one is BAD_USER_INPUT, and padding does not count", async () => {
    for (const text of [
      "{ unknown }",
      "{ status(x: 1) { ok } }",
      "query A { status { ok } } query B { status { ok } }",
    ])
      expect(await query(server, null, text)).toMatchObject({ status: 400, code: "BAD_USER_INPUT" });
    const padded = JSON.stringify({ query: "{ status { ok } }" }).padEnd(65_536, " ");
    expect((await post(`${server.url}/graphql`, padded)).data).toEqual({ status: { ok: true } });
  });
});
