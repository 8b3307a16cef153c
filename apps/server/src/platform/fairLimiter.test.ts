import { refuse } from "@social-connect/domain";
import { TestClock } from "@social-connect/testkit";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { CallingOwners } from "./callingOwners.ts";
import type { FairLimits } from "./fairLimiter.ts";
import { FairLimiter } from "./fairLimiter.ts";

const REFUSAL = refuse("RATE_LIMITED", "Too many calls.", 1);
const LIMITS: FairLimits = {
  slots: 6,
  share: 2,
  shareInAll: 6,
  shareAlone: 3,
  operationSlots: 3,
  queueLength: 4,
  queueMs: 5_000,
};

let clock: TestClock;
let limiter: FairLimiter;
/** The names of the calls in progress, in the order in which they started. */
let running: Map<string, { end: (error?: Error) => void }>;
let started: string[];

beforeEach(() => setUp());

function setUp(limits: Partial<FairLimits> = {}): void {
  clock = new TestClock();
  limiter = new FairLimiter({ ...LIMITS, ...limits }, clock, REFUSAL);
  running = new Map();
  started = [];
}

interface Called {
  readonly name: string;
  readonly settled: Promise<string>;
  leave(): void;
}

/** A call that runs until `end(name)`; by default each has its own operation. */
function call(owner: string, name: string, operations: readonly string[] = [name]): Called {
  let leave = (): void => undefined;
  const whenLeft = (run: () => void) => {
    leave = run;
    return () => {
      leave = () => undefined;
    };
  };
  const work = () =>
    new Promise<string>((resolve, reject) => {
      started.push(name);
      running.set(name, {
        end: (error) => {
          running.delete(name);
          if (error) reject(error);
          else resolve("done");
        },
      });
    });
  const settled = limiter
    .run({ owner, operations, whenLeft }, work)
    .catch((error: Error & { code?: string }) => error.code ?? error.message);
  return { name, settled, leave: () => leave() };
}

function calls(owner: string, number: number): Called[] {
  return Array.from({ length: number }, (_, index) => call(owner, `${owner}${index + 1}`));
}

async function end(name: string, error?: Error): Promise<void> {
  running.get(name)?.end(error);
  await turns();
}

/** Lets settled promises take effect. */
async function turns(): Promise<void> {
  for (let index = 0; index < 10; index += 1) await Promise.resolve();
}

test("an owner runs its share of calls, the next ones wait in order, and each gets its result", async () => {
  const all = calls("a", 7);
  await turns();
  expect(started).toEqual(["a1", "a2", "a3"]);
  expect(limiter.counts()).toMatchObject({ inProgress: 3, waiting: 4 });
  await end("a2");
  expect(started).toEqual(["a1", "a2", "a3", "a4"]);
  for (const name of ["a1", "a3", "a4", "a5", "a6", "a7"]) await end(name);
  expect(await Promise.all(all.map(({ settled }) => settled))).toEqual(Array(7).fill("done"));
  expect(limiter.counts()).toMatchObject({ slotsInUse: 0, inProgress: 0, waiting: 0, owners: new Map() });
});

test("a call beyond the queue is refused after a second, with the number of seconds to wait", async () => {
  calls("a", 7);
  let outcome = "open";
  void call("a", "excess").settled.then((code) => {
    outcome = code;
  });
  await turns();
  clock.advance(999);
  await turns();
  expect(outcome).toBe("open");
  clock.advance(1);
  await turns();
  expect(outcome).toBe("RATE_LIMITED");
  expect(limiter.counts().refused).toEqual(new Map([["a", 1]]));
  const refused = limiter.run({ owner: "a", operations: ["x"] }, async () => "done");
  await turns();
  clock.advance(1_000);
  await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 1 });
});

test("of very many excess calls, some are refused immediately, so that their number in memory is limited", async () => {
  setUp({ queueLength: 1 });
  calls("a", 4);
  const outcomes: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    void call("a", `excess${index}`).settled.then((code) => outcomes.push(code));
  }
  await turns();
  expect(outcomes).toEqual(Array(4).fill("RATE_LIMITED"));
  clock.advance(1_000);
  await turns();
  expect(outcomes).toHaveLength(20);
});

test("a call waits only until its deadline", async () => {
  calls("a", 3);
  const late = call("a", "late");
  clock.advance(4_999);
  await turns();
  expect(limiter.counts().waiting).toBe(1);
  clock.advance(1);
  expect(await late.settled).toBe("RATE_LIMITED");
  expect(limiter.counts()).toMatchObject({ inProgress: 3, waiting: 0, refused: new Map([["a", 1]]) });
  await end("a1");
  expect(started).not.toContain("late");
});

test("while others call, an owner runs fewer calls, and again more when they have stopped for two seconds", async () => {
  calls("a", 7);
  call("b", "b1");
  await end("a1");
  await end("a2");
  await end("b1");
  expect([...running.keys()]).toEqual(["a3", "a4"]);
  clock.advance(1_000);
  await turns();
  expect([...running.keys()]).toEqual(["a3", "a4"]);
  clock.advance(1_000);
  await turns();
  expect([...running.keys()]).toEqual(["a3", "a4", "a5"]);
});

test("an owner does not run more calls while another waits for a response, however long that takes", async () => {
  call("b", "b1");
  for (let second = 0; second < 3; second += 1) clock.advance(1_000);
  calls("a", 3);
  await turns();
  expect([...running.keys()]).toEqual(["b1", "a1", "a2"]);
  await end("b1");
  expect([...running.keys()]).toEqual(["a1", "a2", "a3"]);
});

test("another owner's call does not wait behind a full queue", async () => {
  calls("a", 7);
  call("b", "b1");
  await turns();
  expect(started).toContain("b1");
});

test("when the process has no free slot, owners with waiting calls take turns", async () => {
  setUp({ slots: 3, share: 3 });
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
  const failing = limiter.run({ owner: "b", operations: ["x"] }, () => {
    throw new Error("at once");
  });
  await expect(failing).rejects.toThrow("at once");
  expect(limiter.counts().owners.has("b")).toBe(false);
});

test("a waiting call whose caller disconnects never starts, and makes room for another", async () => {
  const all = calls("a", 7);
  all[3]?.leave();
  const next = call("a", "next");
  await end("a1");
  expect(started).toEqual(["a1", "a2", "a3", "a5"]);
  expect(await all[3]?.settled).toBe("UPSTREAM_UNAVAILABLE");
  expect(limiter.counts().refused).toEqual(new Map());
  for (const name of ["a2", "a3", "a5", "a6", "a7", "next"]) await end(name);
  expect(await next.settled).toBe("done");
});

test("a caller that disconnects before its refusal is sent ends the delay", async () => {
  calls("a", 7);
  const excess = call("a", "excess");
  await turns();
  excess.leave();
  expect(await excess.settled).toBe("RATE_LIMITED");
});

test("an operation that blocks leaves slots to the owner's other operations, and to other owners", async () => {
  for (let index = 1; index <= 4; index += 1) call("a", `posts${index}`, ["posts"]);
  call("a", "list", ["list"]);
  await turns();
  expect(started).toEqual(["posts1", "posts2", "list"]);
  call("b", "posts5", ["posts"]);
  call("c", "posts6", ["posts"]);
  call("c", "list2", ["list"]);
  await turns();
  // Half of six slots.
  expect(started).toEqual(["posts1", "posts2", "list", "posts5", "list2"]);
});

test("an operation that shares connections has its own limit, and leaves slots to the owner's other operations too", async () => {
  setUp({ shareAlone: 6, sharing: { operations: new Set(["posts"]), operationSlots: 4 } });
  for (let index = 1; index <= 5; index += 1) call("a", `posts${index}`, ["posts"]);
  for (let index = 1; index <= 2; index += 1) call("a", `list${index}`, ["list"]);
  await turns();
  expect(started).toEqual(["posts1", "posts2", "posts3", "posts4", "list1", "list2"]);
  expect(limiter.counts()).toMatchObject({ slotsInUse: 6, waiting: 1 });
});

test("several operations that block at the same time leave slots to other operations, of their owners and of the process", async () => {
  const sharing = { operations: new Set(["posts", "post", "jobs"]), operationSlots: 4 };
  setUp({ shareAlone: 4, queueLength: 20, sharing });
  for (const owner of ["a", "b", "c"])
    for (const operation of ["posts", "post"]) call(owner, `${owner} ${operation}`, [operation]);
  call("a", "a jobs", ["jobs"]);
  call("a", "a list", ["list"]);
  call("d", "d jobs", ["jobs"]);
  for (const owner of ["d", "e"]) call(owner, `${owner} posts`, ["posts"]);
  call("a", "a posts again", ["posts"]);
  await turns();
  expect(limiter.counts()).toMatchObject({ slotsInUse: 6, inProgress: 6, waiting: 6 });
  clock.advance(250);
  await turns();
  // Of posts the process runs no more than four, and the first owner no more than one.
  expect(started.slice(6).sort()).toEqual(["a jobs", "a list", "d jobs", "e posts"]);
  expect(limiter.counts()).toMatchObject({ slotsInUse: 4, inProgress: 10, waiting: 2 });
  // The control: an operation that takes a connection from others keeps its slot.
  clock.advance(250);
  await turns();
  expect(limiter.counts()).toMatchObject({ slotsInUse: 1, inProgress: 10, waiting: 2 });
  for (const name of [...started]) await end(name);
  expect(started.slice(10).sort()).toEqual(["a posts again", "d posts"]);
  for (const name of started.slice(10)) await end(name);
  expect(limiter.counts()).toMatchObject({ slotsInUse: 0, inProgress: 0, waiting: 0, owners: new Map() });
});

test("an owner is not the only caller while another calls through a limiter that shares its owners", async () => {
  setUp();
  const calling = new CallingOwners(clock);
  const other = new FairLimiter(LIMITS, clock, REFUSAL, calling);
  limiter = new FairLimiter(LIMITS, clock, REFUSAL, calling);
  await other.run({ owner: "b", operations: ["read"] }, async () => undefined);
  calls("a", 4);
  await turns();
  expect(started).toEqual(["a1", "a2"]);
  for (let second = 0; second < 2; second += 1) clock.advance(1_000);
  await turns();
  expect(started).toEqual(["a1", "a2", "a3"]);
});

/** Two limiters that share owners, for an owner that is not the only caller. */
async function setUpTwo(limits: Partial<FairLimits>) {
  setUp();
  const calling = new CallingOwners(clock);
  const other = new FairLimiter({ ...LIMITS, ...limits }, clock, REFUSAL, calling);
  limiter = new FairLimiter({ ...LIMITS, ...limits }, clock, REFUSAL, calling);
  await other.run({ owner: "b", operations: ["read"] }, async () => undefined);
  let running = 0;
  const ends: (() => void)[] = [];
  return {
    counts: () => other.counts(),
    started: () => running,
    run: (operation: string) =>
      void other.run({ owner: "a", operations: [operation] }, () => {
        running += 1;
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    end: async () => {
      ends.shift()?.();
      await turns();
    },
  };
}

test("while others call, an owner has a share of the slots of all limiters that share owners, which take turns", async () => {
  const other = await setUpTwo({ shareInAll: 1 });
  for (const operation of ["write", "change", "send"]) other.run(operation);
  calls("a", 3);
  await turns();
  expect([other.started(), started]).toEqual([1, []]);
  const order: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const before = started.length;
    const [name] = running.keys();
    if (name === undefined) await other.end();
    else await end(name);
    order.push(started.length > before ? "this" : "other");
  }
  expect(order.filter((each) => each === "this")).toHaveLength(3);
  // No limiter is the first twice in a row while both have waiting calls.
  expect(order.slice(0, 4).join(" ")).toMatch(/^this other this other$|^other this other this$/);
});

test("a call that takes longer than 250 ms does not delay its owner's calls in other limiters", async () => {
  const other = await setUpTwo({ shareInAll: 1 });
  other.run("write");
  calls("a", 2);
  clock.advance(249);
  await turns();
  expect(started).toEqual([]);
  clock.advance(1);
  await turns();
  // The slow call still has its slot, and the owner has one other.
  expect(started).toEqual(["a1"]);
  expect(other.counts()).toMatchObject({ slotsInUse: 1, inProgress: 1 });
  await other.end();
  expect(started).toEqual(["a1"]);
  await end("a1");
  expect(started).toEqual(["a1", "a2"]);
});

test("a call that needs more slots than its owner's share of all limiters starts when it has no other", async () => {
  await setUpTwo({ shareInAll: 1 });
  call("a", "one");
  call("a", "heavy", ["x", "y"]);
  await turns();
  expect(started).toEqual(["one"]);
  await end("one");
  expect(started).toEqual(["one", "heavy"]);
});

test("the first call of another owner starts immediately while one uses its share as the only caller", async () => {
  setUp({ slots: 8, shareAlone: 6, operationSlots: 6, queueLength: 20 });
  for (let index = 1; index <= 20; index += 1) call("a", `posts${index}`, ["posts"]);
  await turns();
  expect(started).toHaveLength(5);
  call("b", "b1", ["posts"]);
  await turns();
  expect(started.at(-1)).toBe("b1");
  // The others of the first owner end, and no more than its share of two start.
  for (const name of ["posts1", "posts2", "posts3", "posts4"]) await end(name);
  expect([...running.keys()]).toEqual(["posts5", "b1"]);
  await end("posts5");
  expect([...running.keys()]).toEqual(["b1", "posts6"]);
});

test("calls that block since their owner was the only one do not delay its other operations", async () => {
  setUp({ slots: 8, shareAlone: 6, operationSlots: 6 });
  for (let index = 1; index <= 5; index += 1) call("a", `posts${index}`, ["posts"]);
  call("b", "b1");
  call("a", "posts6", ["posts"]);
  call("a", "accounts1", ["accounts"]);
  call("a", "accounts2", ["accounts"]);
  await turns();
  expect(started.slice(5)).toEqual(["b1", "accounts1"]);
  await end("accounts1");
  expect(started.slice(7)).toEqual(["accounts2"]);
});

test("a call with several operations takes as many slots, and later calls do not overtake it", async () => {
  call("a", "one");
  call("a", "heavy", ["x", "y", "z"]);
  call("a", "light");
  await turns();
  expect(started).toEqual(["one"]);
  await end("one");
  expect(started).toEqual(["one", "heavy"]);
  expect(limiter.counts().slotsInUse).toBe(3);
  await end("heavy");
  expect(started).toEqual(["one", "heavy", "light"]);
});

test("a call with more operations than its owner's share takes the whole share", async () => {
  const huge = call("a", "huge", ["x", "x", "x", "x", "y", "z", "z"]);
  await turns();
  expect(limiter.counts().slotsInUse).toBe(3);
  await end("huge");
  expect(await huge.settled).toBe("done");
});

test("in any order of calls and ends, no limit is exceeded and every call gets an answer", async () => {
  const step = fc.oneof(
    fc.record({
      type: fc.constant("call" as const),
      owner: fc.constantFrom("a", "b", "c"),
      operations: fc.array(fc.constantFrom("x", "y", "z"), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({ type: fc.constantFrom("end" as const, "fail" as const, "leave" as const), at: fc.nat() }),
    fc.record({ type: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
  );
  const scenario = fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.boolean(), async (steps, isShared) => {
    const sharing = { operations: new Set(["x", "y"]), operationSlots: 4 };
    setUp(isShared ? { sharing } : {});
    const made: Called[] = [];
    const at = <T>(items: readonly T[], index: number) => items[index % items.length];
    for (const one of steps) {
      if (one.type === "call") made.push(call(one.owner, `call${made.length}`, one.operations));
      else if (one.type === "advance") clock.advance(one.ms);
      else if (one.type === "leave") at(made, one.at)?.leave();
      else at([...running.values()], one.at)?.end(one.type === "fail" ? new Error("failed") : undefined);
      await turns();
      const { slotsInUse, owners, inProgress } = limiter.counts();
      expect(slotsInUse).toBeLessThanOrEqual(LIMITS.slots);
      expect(inProgress).toBe(running.size);
      for (const [, owner] of owners) {
        // Of each shared operation, as many as the share can be blocked besides.
        expect(owner.inProgress).toBeLessThanOrEqual(LIMITS.shareAlone * (isShared ? 1 + sharing.operations.size : 1));
        expect(owner.waiting).toBeLessThanOrEqual(LIMITS.queueLength);
      }
    }
    while (running.size > 0) {
      for (const { end } of [...running.values()]) end();
      await turns();
    }
    clock.advance(1_000);
    const outcomes = await Promise.all(made.map(({ settled }) => settled));
    expect(outcomes.filter((outcome) => !OUTCOMES.has(outcome))).toEqual([]);
    expect(limiter.counts()).toMatchObject({ slotsInUse: 0, inProgress: 0, waiting: 0, owners: new Map() });
  });
  await fc.assert(scenario, { numRuns: 200 });
});

const OUTCOMES: ReadonlySet<string> = new Set(["done", "failed", "RATE_LIMITED", "UPSTREAM_UNAVAILABLE"]);
