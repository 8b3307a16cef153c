import { describe, expect, test } from "vitest";
import { startComparison } from "./compare.ts";
import { openMockSide } from "./mockSide.ts";
import { beginSequence, differenceText, type Pair, runSequence, type Sequence } from "./runSequence.ts";
import { createApplication } from "./steps/admin.ts";
import { callback, consent, createSession, launch } from "./steps/connect.ts";
import { readAll } from "./steps/readAll.ts";
import { job, refresh } from "./steps/reads.ts";
import type { Follower, Leader } from "./steps/side.ts";
import type { Step } from "./steps/step.ts";

/** Not a whole minute, at which a page of seven days begins: a default scan a few milliseconds later would not cover it. */
const NOW = new Date("2026-06-15T12:00:30.000Z");
const DEVIATION_SEEDS = ["sown/1", "sown/2", "sown/3", "sown/4"];
type Wrap = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/** Two mocks of different seeds: no id, token or text of one is the other's. `wrap` plants a difference in the second. */
function mocks(wrap?: Wrap, leaderNow?: () => Date): Pair {
  const open = (seed: string, now: Date, wrapFetch?: Wrap) =>
    openMockSide({ seed, now, jitter: 0.5, previewTemplate: null, ...(wrapFetch && { wrapFetch }) });
  let current: (Follower & Pick<Leader, "quiesce" | "advance">) | null = null;
  const side = () => {
    if (current === null) throw new Error("The sequence has not started.");
    return current;
  };
  const leader: Leader = {
    name: "first mock",
    get baseUrl() {
      return side().baseUrl;
    },
    fetch: (input, init) => side().fetch(input, init),
    panel: (person) => side().panel(person),
    get provider() {
      return side().provider;
    },
    get identity() {
      return side().identity;
    },
    get addresses() {
      return side().addresses;
    },
    get events() {
      return side().events;
    },
    begin: async () => {
      current = await open("first", NOW);
    },
    now: async () => leaderNow?.() ?? side().now(),
    quiesce: () => side().quiesce(),
    advance: (ms) => side().advance(ms),
  };
  return { leader, openFollower: (now) => open("second", now, wrap) };
}

/** Changes the text of responses. */
const rewriting =
  (from: string, to: string): Wrap =>
  (fetch) =>
  async (input, init) => {
    const answer = await fetch(input, init);
    const text = await answer.text();
    const { headers, status } = answer;
    return new Response(status === 303 ? null : text.replaceAll(from, to), { status, headers });
  };

/** Behaves like a mock whose largest page of connections is one smaller. */
const smallerPage: Wrap = (fetch) => (input, init) => {
  const { body } = init ?? {};
  const isOfConnections = typeof body === "string" && body.includes("{ connections(");
  return fetch(input, {
    ...init,
    ...(isOfConnections && { body: body.replace(/"first":100([,}])/, '"first":101$1') }),
  });
};

test("finds no difference between two mocks with different seeds", async () => {
  for (const seed of DEVIATION_SEEDS) {
    const { difference, steps, skipped } = await runSequence(mocks(), seed, 40, 0);
    expect(difference).toBeNull();
    expect(steps.length - skipped).toBeGreaterThan(20);
  }
});

const ATTEMPT: readonly Step[] = [
  createApplication,
  createSession({
    ...{ app: 1, who: { tenant: "one", subject: "ann" }, provider: "PROVIDER_A" },
    ...{ capabilities: ["CONTENT_LIST"], returnUrl: "registered", browser: "one" },
  }),
  launch({ session: 2, browser: "one", origin: "right", token: "right" }),
];

async function make(pair: Pair, steps: readonly Step[]): Promise<Sequence> {
  const sequence = await beginSequence(pair);
  for (const step of steps) await sequence.make(step);
  return sequence;
}

test("work that the leader ends in no time is ended by the follower too", async () => {
  const steps: readonly Step[] = [
    ...ATTEMPT,
    consent({ session: 2, account: "harbor-workshop", decision: "allow", scopes: "all" }),
    callback({ session: 2, browser: "one", change: "none" }),
    refresh({ connection: 2, app: 1, window: { fromHoursAgo: 48, toHoursAgo: 0 } }),
    job({ connection: 2, app: 1, job: 6 }),
    readAll,
  ];
  const pair = mocks(undefined, () => NOW);
  const sequence = await make(pair, steps);
  expect([sequence.steps.length, sequence.skipped()]).toEqual([8, 0]);
});

describe("a planted difference is found, and its sequence shrinks", () => {
  test.each([
    ["a changed message", rewriting(`"errors":[{"message":"`, `"errors":[{"message":"Sorry: `), "message"],
    ["a limit that is smaller by one", smallerPage, "connections of"],
    ["an audit summary that says something else", rewriting("Issued the application key", "Made the key"), "summary"],
  ])("%s", async (_, plant, where) => {
    for (const seed of DEVIATION_SEEDS) {
      const { difference } = await runSequence(mocks(plant), seed, 60, 30_000);
      if (difference === null) continue;
      expect(difference.differences[0]?.path).toContain(where);
      expect(difference.steps.length).toBeLessThanOrEqual(4);
      return expect(differenceText("planted/1", 60, difference)).toMatch(/--seed planted\/1 --steps 60/);
    }
    throw new Error("The planted difference was not found.");
  });
});

test("an event with another code is a difference of the step that caused it", async () => {
  const steps = [
    ...ATTEMPT,
    consent({ session: 2, account: "harbor-workshop", decision: "deny", scopes: "all" }),
    callback({ session: 2, browser: "one", change: "none" }),
  ];
  const difference = make(mocks(rewriting(`"code":"USER_DENIED"`, `"code":"PROVIDER_ERROR"`)), steps);
  await expect(difference).rejects.toMatchObject({ differences: [{ path: "events[0].what" }] });
  expect((await make(mocks(), steps)).skipped()).toBe(0);
});

test("does not report a failed step as a difference", async () => {
  const broken: Wrap = (fetch) => (input, init) =>
    String(input).endsWith("/api/connect/redeem") ? Promise.reject(new Error("cut")) : fetch(input, init);
  await expect(make(mocks(broken), ATTEMPT)).rejects.toThrow("step 3 (launch) failed on the mock: Error: cut");
});

test("the same seed gives the same steps, and another gives others", async () => {
  const made = await Promise.all(["x/1", "x/1", "x/2"].map((seed) => runSequence(mocks(), seed, 30, 0)));
  const [one, again, other] = made.map(({ steps }) => JSON.stringify(steps));
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

describe("comparison", () => {
  const open = () => startComparison([{}, {}], NOW);
  const compare = (leader: unknown, follower: unknown) => open().compare(leader, follower, 1_000);
  const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;

  test("maps an id to one counterpart everywhere", () => {
    const comparison = open();
    expect(comparison.compare({ id: ids[0] }, { id: ids[1] }, 0)).toEqual([]);
    expect(comparison.compare({ text: `See ${ids[0]}.` }, { text: `See ${ids[1]}.` }, 0)).toEqual([]);
    expect(comparison.compare({ id: ids[0] }, { id: ids[0] }, 0)).toHaveLength(1);
  });

  test("accepts timestamps within the tolerance, and any timestamp older than the sequence", () => {
    const at = (ms: number) => ({ at: new Date(NOW.getTime() + ms).toISOString() });
    expect(compare(at(0), at(900))).toEqual([]);
    expect(compare(at(0), at(1_100))).toHaveLength(1);
    expect(compare(at(-5_000), at(-90_000))).toEqual([]);
  });

  test("compares a problem up to the provider's own error", () => {
    const [leader, follower] = ["Unexpected response: code exchange refused.", "Unexpected response: unavailable."];
    expect(compare({ problem: leader }, { problem: follower })).toEqual([]);
    expect(compare({ problem: leader }, { problem: "It accepted invalid credentials." })).toHaveLength(1);
  });

  test("a missing field, another length and another word are differences", () => {
    expect(compare({ a: null }, {})).toHaveLength(1);
    expect(compare({ a: [1] }, { a: [1, 2] })).not.toEqual([]);
    expect(compare({ a: "one" }, { a: "two" })).toHaveLength(1);
  });
});
