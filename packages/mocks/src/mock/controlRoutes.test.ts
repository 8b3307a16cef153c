import { expect, test } from "vitest";
import { createConsumerMock } from "./consumerMock.ts";

test.each([
  ["POST", "connect", "POST /__mock/connect/:id/complete"],
  ["PUT", "reset", "POST /__mock/reset"],
  ["POST", "%ff", "GET /__mock/scenarios"],
])("%s /__mock/%s returns the list of commands", async (method, path, command) => {
  const mock = createConsumerMock();
  const answer = await mock.fetch(`${mock.baseUrl}/__mock/${path}`, { method });
  expect(answer.status).toBe(404);
  expect(((await answer.json()) as { error: string }).error).toContain(command);
});

test.each(["{", "[]", "5", "null", '"text"'])("rejects the body %s", async (body) => {
  const mock = createConsumerMock();
  const answer = await mock.fetch(`${mock.baseUrl}/__mock/reset`, { method: "POST", body });
  expect(answer.status).toBe(400);
});

test("a page of another site cannot control the mock", async () => {
  const mock = createConsumerMock();
  const reset = (site: string) =>
    mock.fetch(`${mock.baseUrl}/__mock/reset`, { method: "POST", headers: { "sec-fetch-site": site } });
  expect((await reset("cross-site")).status).toBe(403);
  expect((await reset("same-origin")).status).toBe(200);
  expect((await reset("none")).status).toBe(200);
});

test("rejects unknown query parameters", async () => {
  const mock = createConsumerMock();
  const read = async (path: string) => (await mock.fetch(`${mock.baseUrl}/__mock/${path}`)).json();
  expect(await read("calls?operaton=status")).toEqual({ error: "Unknown field operaton. Possible fields: operation." });
  expect(await read("clock?to=2027")).toEqual({ error: "Unknown field to. Possible fields: none." });
});
