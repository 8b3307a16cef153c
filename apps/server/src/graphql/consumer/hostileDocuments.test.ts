import { leastCpuMsOf } from "@social-connect/testkit";
import { expect, test } from "vitest";
import { application, server } from "../../http/testing/serverOfFile.ts";
import { query } from "../../http/testing/testServer.ts";

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
  for (const key of [null, application.key]) {
    const send = async () => {
      const answer = await query(server, key, text);
      expect(answer).toMatchObject({ status: 400, code: "BAD_USER_INPUT" });
    };
    expect(await leastCpuMsOf(send, BOUND_MS)).toBeLessThan(BOUND_MS);
  }
});
