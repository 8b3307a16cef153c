import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { handlers } from "../msw.ts";

const mock = createConsumerMock({ seed: "msw" });
const server = setupServer(...mock.handlers());

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
beforeEach(() => mock.reset());
afterAll(() => server.close());

const STATUS = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: '{"query":"{ status { ok } }"}',
};

test("the global fetch reaches the mock", async () => {
  const answer = await fetch(`${mock.baseUrl}/graphql`, STATUS);
  expect(await answer.json()).toEqual({ data: { status: { ok: true } } });
  mock.calls.assertCalled("status", 1);
});

test.each([
  ["/", 404],
  ["/graphql", 405],
  ["/nothing/here", 404],
  ["/api/connect/callback/provider-x", 404],
])("an unknown request to the mock's host (%s) is answered by the mock and never passed on", async (path, status) => {
  expect((await fetch(`${mock.baseUrl}${path}`)).status).toBe(status);
});

test("a connection that the mock cuts is a failed fetch", async () => {
  mock.faults.next("status", { drop: "before" });
  await expect(fetch(`${mock.baseUrl}/graphql`, STATUS)).rejects.toThrow(TypeError);
  expect((await fetch(`${mock.baseUrl}/graphql`, STATUS)).status).toBe(200);
});

test("the handlers of the entry for MSW are the same", () => {
  expect(handlers(mock)).toHaveLength(1);
  expect(handlers(mock)[0]).toBeInstanceOf((mock.handlers()[0] as object | undefined)?.constructor);
});
