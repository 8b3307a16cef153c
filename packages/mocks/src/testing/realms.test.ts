/** Values of another realm, such as Jest's, are recognized by their shape. */
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createConsumerMock } from "../index.ts";

const NOON = "2026-03-01T12:00:00.000Z";
const foreign = (code: string): never => runInNewContext(code) as never;

describe("a value of another realm", () => {
  it("can be a time of the mock", () => {
    const date: Date = foreign(`new Date("${NOON}")`);
    expect(date).not.toBeInstanceOf(Date);
    const mock = createConsumerMock({ now: date });
    expect(mock.clock.now()).toBe(Date.parse(NOON));
    expect(() => createConsumerMock({ now: foreign("new Date(NaN)") })).toThrow("is not a time");
    expect(() => createConsumerMock({ now: foreign("({ toISOString() {} })") })).toThrow("is not a time");
  });

  it("can be a request", async () => {
    const mock = createConsumerMock();
    const url = `${mock.baseUrl}/graphql`;
    const request = new Request(url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${mock.key}` },
      body: JSON.stringify({ query: "{ status { ok } }" }),
    });
    // The members of a Request without its class, as in another library or realm.
    const members = { url, method: request.method, headers: request.headers, signal: request.signal };
    const input = { ...members, redirect: request.redirect, arrayBuffer: () => request.arrayBuffer() } as Request;
    expect(await (await mock.fetch(input)).json()).toMatchObject({ data: { status: { ok: true } } });
  });

  it("can be in a state that is restored", async () => {
    const mock = createConsumerMock({ seed: 7, now: foreign(`new Date("${NOON}")`) });
    const copy = createConsumerMock({ seed: 7 });
    copy.restore(JSON.parse(JSON.stringify(mock.snapshot())));
    expect(copy.clock.now()).toBe(mock.clock.now());
  });
});
