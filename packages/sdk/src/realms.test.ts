/** Values of another realm, or made before the global classes were replaced, are recognized by their shape. */
import { runInNewContext } from "node:vm";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { timeOf } from "@social-connect/sdk-core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NotFoundError, ServiceError, SocialConnect, SocialConnectError } from "./index.ts";
import { BASE_URL, fakeClient, KEY, refusal, SCOPE } from "./testing/fakeApi.ts";
import { connection, contentPage } from "./testing/samples.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const NOON = "2026-03-01T12:00:00.000Z";
const inAnotherRealm = (code: string): never => runInNewContext(code) as never;

function received(value: unknown): Date {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(value);
  const message: { readonly message: Date } | undefined = receiveMessageOnPort(port2);
  port1.close();
  return message?.message as Date;
}

/** Dates for which `instanceof Date` may be false where they are used. */
const DATES: readonly (readonly [string, () => Date])[] = [
  ["of another realm", () => inAnotherRealm(`new Date("${NOON}")`)],
  ["of a worker", () => received(new Date(NOON))],
  ["of structuredClone", () => structuredClone(new Date(NOON))],
  [
    "from before the system time was set",
    () => {
      const date = new Date(NOON);
      vi.setSystemTime("2030-01-01T00:00:00.000Z");
      return date;
    },
  ],
  [
    "from before the global Date was replaced",
    () => {
      const date = new Date(NOON);
      vi.stubGlobal("Date", class extends Date {});
      expect(date).not.toBeInstanceOf(Date);
      return date;
    },
  ],
  [
    "of the fake timers, after they ended",
    () => {
      vi.useFakeTimers({ toFake: ["Date"], now: new Date(NOON) });
      const date = new Date();
      vi.useRealTimers();
      return date;
    },
  ],
  ["of a library that imitates Date", () => ({ getTime: () => Date.parse(NOON) }) as Date],
];

describe("a Date", () => {
  it.each(DATES)("%s is accepted as time of a window and as deadline", async (_, make) => {
    const { api, user } = fakeClient({ content: contentPage([]), connection: connection("c") });
    const date = make();
    await user.content("c", { publishedAfter: date, publishedBefore: date }).page();
    expect(api.calls.map(({ body }) => body.variables)).toMatchObject([
      { window: { publishedAfter: NOON, publishedBefore: NOON } },
    ]);
    // The clock of the test says noon.
    await expect(user.connection("c", { deadline: date })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it.each([
    ["an invalid Date", new Date(Number.NaN)],
    ["an invalid Date of another realm", inAnotherRealm("new Date(NaN)")],
    ["an object with the prototype of Date", Object.create(Date.prototype)],
    ["a number", 5],
    ["null", null],
    ["a Temporal.Instant", { epochMilliseconds: 5, toString: () => NOON }],
    ["a date of Luxon", { toJSDate: () => new Date(), valueOf: () => 5 }],
    ["a date of Day.js", { toDate: () => new Date(), toISOString: () => NOON, valueOf: () => 5 }],
  ])("is not %s: the error says how to convert it", async (_, value) => {
    const { user } = fakeClient({});
    const dates = { publishedAfter: value as Date, publishedBefore: value as Date };
    const hint = /new Date\(instant\.epochMilliseconds\) of Temporal, toJSDate\(\) of Luxon, toDate\(\) of Day\.js\.$/;
    expect(() => user.content("c", dates)).toThrow(hint);
    await expect(user.connection("c", { deadline: value as Date })).rejects.toThrow(hint);
    expect(timeOf(value)).toBeNaN();
  });
});

describe("a value of another realm", () => {
  it("can be an options object, a signal's reason, a promise of a hook or an error of fetch", async () => {
    const { user } = fakeClient(
      { connection: connection("c") },
      { hooks: { onRequest: () => inAnotherRealm("Promise.reject(7)") } },
    );
    expect(await user.connection("c", inAnotherRealm("({ retries: 0 })"))).toMatchObject({ id: "c" });
    const lost = inAnotherRealm('Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } })');
    const failing = fakeClient({}, { retries: 0, fetch: () => Promise.reject(lost) });
    await expect(failing.user.connection("c")).rejects.toMatchObject({ systemCode: "ECONNRESET" });
  });
});

describe("instanceof", () => {
  it("is true for an error of another copy of the package, and for no other error", async () => {
    const { user } = fakeClient({ connection: refusal("NOT_FOUND") });
    const error = Object(await user.connection("c").catch((thrown: unknown) => thrown));
    const foreign = Object.create(null, Object.getOwnPropertyDescriptors(error));
    for (const Family of [NotFoundError, ServiceError, SocialConnectError])
      expect(foreign instanceof Family).toBe(true);
    expect(new ServiceError({ code: "X", message: "x" }) instanceof NotFoundError).toBe(false);
    expect(Object(new Error("x")) instanceof SocialConnectError).toBe(false);
  });

  it("of a subclass of the caller is true for its instances only", () => {
    class Own extends ServiceError {}
    const details = { code: "X", message: "x" };
    expect(new Own(details) instanceof Own).toBe(true);
    expect(new Own(details) instanceof ServiceError).toBe(true);
    expect(new ServiceError(details) instanceof Own).toBe(false);
  });
});

describe("the time of day", () => {
  function refuse(): never {
    throw new Error("the time of day was read");
  }
  class UnreadableDate extends Date {
    static override now = refuse;
  }

  it("is not read by a call without a deadline, so that Next.js can prerender its page", async () => {
    const { api } = fakeClient({ connection: [refusal("UPSTREAM_UNAVAILABLE"), connection("c")] });
    const outcomes: string[] = [];
    const hooks = { onResponse: ({ outcome }: { outcome: string }) => void outcomes.push(outcome) };
    const social = new SocialConnect({ baseUrl: BASE_URL, key: KEY, fetch: api.fetch, hooks, random: () => 0 });
    const user = social.forSubject(SCOPE);
    vi.stubGlobal("Date", UnreadableDate);
    expect(await user.connection("c")).toMatchObject({ id: "c" });
    expect(outcomes).toEqual(["UPSTREAM_UNAVAILABLE", "OK"]);
    const deadline = new Date(5);
    await expect(user.connection("c", { deadline })).rejects.toThrow("the time of day was read");
  });
});
