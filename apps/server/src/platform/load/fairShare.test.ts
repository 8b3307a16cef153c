import { refuse } from "@social-connect/domain";
import { type TestClock, testClock } from "@social-connect/testkit";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { type FairLimits, FairShare } from "./fairShare.ts";

type Name = "read" | "write";

const REFUSAL = refuse("RATE_LIMITED", "Too many calls.", 1);
const LANE = { slots: 6, share: 2, shareAlone: 3 };
const LIMITS: FairLimits<Name> = { lanes: { read: LANE, write: LANE }, shareInAll: 2 };
const QUEUE_LENGTH = 64;

let clock: TestClock;
let share: FairShare<Name>;
/** The names of the calls in progress, in the order in which they started. */
let running: Map<string, { readonly slots: number; readonly end: (error?: Error) => void }>;
let started: string[];

beforeEach(() => setUp());

function setUp(limits: Partial<FairLimits<Name>> = {}): void {
  clock = testClock();
  share = new FairShare({ ...LIMITS, ...limits }, clock, REFUSAL);
  running = new Map();
  started = [];
}

interface Called {
  readonly settled: Promise<string>;
  leave(): void;
}

/** A call that runs until `end(name)`. */
function call(owner: string, name: string, lane: Name = "read", slots = 1): Called {
  let leave = (): void => undefined;
  const whenLeft = (run: () => void) => {
    leave = run;
    return () => {
      leave = () => undefined;
    };
  };
  const work = (slots: number) =>
    new Promise<string>((resolve, reject) => {
      started.push(name);
      const end = (error?: Error) => {
        running.delete(name);
        if (error) reject(error);
        else resolve("done");
      };
      running.set(name, { slots, end });
    });
  const settled = share
    .run({ owner, lane, slots, whenLeft }, work)
    .catch((error: Error & { code?: string }) => error.code ?? error.message);
  return { settled, leave: () => leave() };
}

function calls(owner: string, number: number, lane: Name = "read"): Called[] {
  return Array.from({ length: number }, (_, index) => call(owner, `${owner}${index + 1}`, lane));
}

async function end(name: string, error?: Error): Promise<void> {
  running.get(name)?.end(error);
  await turns();
}

/** Lets settled promises take effect. */
async function turns(): Promise<void> {
  for (let index = 0; index < 10; index += 1) await Promise.resolve();
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) clock.advance(250);
  await turns();
}

function totals(lane: Name = "read") {
  const { inProgress, waiting, refused } = share.counts(lane);
  const sum = (numbers: ReadonlyMap<string, number>) => [...numbers.values()].reduce((one, other) => one + other, 0);
  return [sum(inProgress), sum(waiting), sum(refused)];
}

test("an owner runs its share of calls, the next ones wait in order, and each gets its result", async () => {
  const all = calls("a", 7);
  await turns();
  expect(started).toEqual(["a1", "a2", "a3"]);
  expect(totals()).toEqual([3, 4, 0]);
  await end("a2");
  expect(started).toEqual(["a1", "a2", "a3", "a4"]);
  for (const name of ["a1", "a3", "a4", "a5", "a6", "a7"]) await end(name);
  expect(await Promise.all(all.map(({ settled }) => settled))).toEqual(Array(7).fill("done"));
  expect(share.counts("read")).toEqual({ inProgress: new Map(), waiting: new Map(), refused: new Map() });
});

test("a call beyond the queue is refused, with the number of seconds to wait", async () => {
  calls("a", 3 + QUEUE_LENGTH);
  const refused = share.run(
    { owner: "a", lane: "read", slots: 1, whenLeft: () => () => undefined },
    async () => "done",
  );
  await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 1 });
  expect(totals()).toEqual([3, QUEUE_LENGTH, 1]);
  calls("a", 3 + QUEUE_LENGTH, "write");
  await turns();
  expect(totals("write")).toEqual([3, QUEUE_LENGTH, 0]);
});

test("a call waits only until its deadline", async () => {
  calls("a", 3);
  const late = call("a", "late");
  await pass(14_750);
  expect(totals()).toEqual([3, 1, 0]);
  await pass(250);
  expect(await late.settled).toBe("RATE_LIMITED");
  expect(totals()).toEqual([3, 0, 1]);
  await end("a1");
  expect(started).not.toContain("late");
});

test("while others call, an owner runs fewer calls, and again more when they have stopped for two seconds", async () => {
  calls("a", 7);
  call("b", "b1");
  for (const name of ["a1", "a2", "b1"]) await end(name);
  expect([...running.keys()]).toEqual(["a3", "a4"]);
  await pass(1_000);
  expect([...running.keys()]).toEqual(["a3", "a4"]);
  await pass(1_000);
  expect([...running.keys()]).toEqual(["a3", "a4", "a5"]);
});

test("an owner does not run more calls while another waits for a response, however long that takes", async () => {
  call("b", "b1");
  await pass(3_000);
  calls("a", 3);
  await turns();
  expect([...running.keys()]).toEqual(["b1", "a1", "a2"]);
  await end("b1");
  await pass(2_000);
  expect([...running.keys()]).toEqual(["a1", "a2", "a3"]);
});

test("another owner's call does not wait behind a full queue", async () => {
  calls("a", 3 + QUEUE_LENGTH);
  call("b", "b1");
  await turns();
  expect(started).toContain("b1");
});

test("when the process has no free slot, owners with waiting calls take turns", async () => {
  const lane = { slots: 3, share: 3, shareAlone: 3 };
  setUp({ lanes: { read: lane, write: lane }, shareInAll: 3 });
  calls("a", 6);
  calls("b", 3);
  calls("c", 3);
  await turns();
  for (const name of ["a1", "a2", "a3", "b1", "c1", "a4"]) await end(name);
  expect(started).toEqual(["a1", "a2", "a3", "a4", "b1", "c1", "a5", "b2", "c2"]);
});

test("a slot is free again when the call fails, also synchronously", async () => {
  const [first] = calls("a", 4);
  await end("a1", new Error("broken"));
  expect(await first?.settled).toBe("broken");
  expect(started).toContain("a4");
  const failing = share.run({ owner: "b", lane: "read", slots: 1, whenLeft: () => () => undefined }, () => {
    throw new Error("at once");
  });
  await expect(failing).rejects.toThrow("at once");
  expect(share.counts("read").inProgress.has("b")).toBe(false);
});

test("a waiting call whose caller disconnects never starts, and makes room for another", async () => {
  const all = calls("a", 3 + QUEUE_LENGTH);
  all[3]?.leave();
  const next = call("a", "next");
  await end("a1");
  expect(started).toEqual(["a1", "a2", "a3", "a5"]);
  expect(await all[3]?.settled).toBe("UPSTREAM_UNAVAILABLE");
  expect(totals()).toEqual([3, QUEUE_LENGTH - 1, 0]);
  while (running.size > 0) for (const name of running.keys()) await end(name);
  expect(await next.settled).toBe("done");
});

test("a lane whose slots are taken delays no call of another lane", async () => {
  calls("a", 4);
  call("a", "a write", "write");
  await turns();
  expect(started).toEqual(["a1", "a2", "a3", "a write"]);
  expect(totals("write")).toEqual([1, 0, 0]);
});

test("while others call, an owner has a share of the slots of all lanes, and its calls start in order", async () => {
  setUp({ shareInAll: 1 });
  call("b", "b1");
  calls("a", 2, "write");
  call("a", "a read");
  call("a", "a last", "write");
  await turns();
  for (const expected of ["a1", "a2", "a read", "a last"]) {
    expect([...running.keys()]).toEqual(["b1", expected]);
    await end(expected);
  }
});

test("a call that takes longer than half a second does not delay its owner's other calls, in its lane up to the share", async () => {
  setUp({ shareInAll: 1 });
  call("b", "b1");
  call("a", "slow", "write");
  calls("a", 2);
  await pass(250);
  expect(started).toEqual(["b1", "slow"]);
  await pass(250);
  expect(started).toEqual(["b1", "slow", "a1"]);
  await pass(500);
  expect(started).toEqual(["b1", "slow", "a1", "a2"]);
  call("a", "third");
  await pass(1_000);
  expect(started).not.toContain("third");
  await end("a1");
  expect(started).toContain("third");
});

test("a call takes as many slots as it can use, at most the free ones of its owner's share", async () => {
  call("a", "one");
  call("a", "several", "read", 8);
  await turns();
  expect([...running].map(([name, { slots }]) => [name, slots])).toEqual([
    ["one", 1],
    ["several", 2],
  ]);
  call("b", "b several", "read", 8);
  await turns();
  expect(running.get("b several")?.slots).toBe(2);
});

test("in any order of calls and ends, no limit is exceeded and every call gets an answer", async () => {
  const step = fc.oneof(
    fc.record({
      type: fc.constant("call" as const),
      owner: fc.constantFrom("a", "b", "c"),
      lane: fc.constantFrom("read" as const, "write" as const),
      slots: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ type: fc.constantFrom("end" as const, "fail" as const, "leave" as const), at: fc.nat() }),
    fc.record({ type: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
  );
  const scenario = fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
    setUp();
    const made: Called[] = [];
    const at = <T>(items: readonly T[], index: number) => items[index % items.length];
    for (const one of steps) {
      if (one.type === "call") made.push(call(one.owner, `call${made.length}`, one.lane, one.slots));
      else if (one.type === "advance") clock.advance(one.ms);
      else if (one.type === "leave") at(made, one.at)?.leave();
      else at([...running.values()], one.at)?.end(one.type === "fail" ? new Error("failed") : undefined);
      await turns();
      const slots = [...running.values()].reduce((sum, { slots }) => sum + slots, 0);
      expect(slots).toBeLessThanOrEqual(2 * LANE.slots);
      expect((totals("read")[0] ?? 0) + (totals("write")[0] ?? 0)).toBe(running.size);
      for (const lane of ["read", "write"] as const)
        for (const [, inProgress] of share.counts(lane).inProgress)
          expect(inProgress).toBeLessThanOrEqual(LANE.shareAlone);
    }
    while (running.size > 0) {
      for (const { end } of [...running.values()]) end();
      await turns();
    }
    const outcomes = await Promise.all(made.map(({ settled }) => settled));
    expect(outcomes.filter((outcome) => !OUTCOMES.has(outcome))).toEqual([]);
    for (const lane of ["read", "write"] as const) expect(totals(lane).slice(0, 2)).toEqual([0, 0]);
  });
  await fc.assert(scenario, { numRuns: 200 });
});

const OUTCOMES: ReadonlySet<string> = new Set(["done", "failed", "RATE_LIMITED", "UPSTREAM_UNAVAILABLE"]);
