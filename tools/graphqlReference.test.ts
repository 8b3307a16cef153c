import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { API_KEY_OPERATIONS, CONSUMER_OPERATIONS } from "../packages/contract/src/index.ts";
import { createAdminMock, createConsumerMock } from "../packages/mocks/src/index.ts";

const COMMON_CODES = ["UNAUTHENTICATED", "FORBIDDEN", "UPSTREAM_UNAVAILABLE"];

interface Example {
  readonly operation: string;
  readonly body: string;
  /** The codes that the page lists for the operation. */
  readonly codes: readonly string[];
}

function examplesOf(page: string): readonly Example[] {
  const text = readFileSync(new URL(`../docs/reference/graphql/${page}.md`, import.meta.url), "utf8");
  return text.split(/^### /m).flatMap((section) => {
    const body = /<<'JSON'\n(.*)\nJSON\n/s.exec(section)?.[1];
    const codes = [...section.matchAll(/\/errors\/([A-Z_]+)\.md\)/g)].map(([, code = ""]) => code);
    return body === undefined ? [] : [{ operation: section.split("\n")[0] ?? "", body, codes }];
  });
}

interface Answer {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function send(fetch: typeof globalThis.fetch, url: string, key: string, body: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (await (await fetch(url, { method: "POST", headers, body })).json()) as Answer;
}

describe("the consumer reference", () => {
  const examples = examplesOf("consumer");

  test("has an example request for each operation", () => {
    expect(examples.map(({ operation }) => operation).toSorted()).toEqual(Object.keys(CONSUMER_OPERATIONS).toSorted());
  });

  test.each(examples)("the request of $operation is valid", async ({ body, codes }) => {
    const mock = createConsumerMock();
    const { errors = [] } = await send(mock.fetch, `${mock.baseUrl}/graphql`, mock.key, body);
    // Ids and tenants of the examples do not exist in the mock.
    for (const { extensions } of errors) expect([...COMMON_CODES, ...codes]).toContain(extensions.code);
  });

  test("an invalid request would be found", async () => {
    const mock = createConsumerMock();
    const body = JSON.stringify({ query: "{ connections(scope: 1) { items { id } } }", variables: {} });
    const { errors } = await send(mock.fetch, `${mock.baseUrl}/graphql`, mock.key, body);
    expect(errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  });
});

describe("the admin reference", () => {
  const examples = examplesOf("admin");

  test("has an example request for each operation that a key may call", () => {
    expect(examples.map(({ operation }) => operation).toSorted()).toEqual(Object.keys(API_KEY_OPERATIONS).toSorted());
  });

  test.each(examples)("the request of $operation is valid", async ({ body, codes }) => {
    const mock = createAdminMock();
    const { errors = [] } = await send(mock.fetch, `${mock.host}/api/admin/graphql`, mock.writeKey, body);
    for (const { extensions } of errors) expect([...COMMON_CODES, ...codes]).toContain(extensions.code);
  });
});
