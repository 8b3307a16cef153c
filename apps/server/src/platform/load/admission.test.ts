import { type TestClock, testClock } from "@social-connect/testkit";
import { beforeEach, expect, test, vi } from "vitest";
import { Presence } from "../call/presence.ts";
import { Admission, type AdmissionLimits, type Admitted } from "./admission.ts";

const LIMITS: AdmissionLimits = { slots: 100, slotsOfOwner: 4, starts: 1_000, startsWhenLate: 1_000 };
const TIME = { msPerSecond: 50, burstMs: 2, leastMs: 1 };

let clock: TestClock;
let admission: Admission;
let refused: number;
/** The requests that were admitted, in order. */
let started: string[];
let ends: (() => void)[];

beforeEach(() => create(LIMITS));

function create(limits: AdmissionLimits): void {
  clock = testClock();
  refused = 0;
  admission = new Admission(limits, clock, () => {
    refused += 1;
  });
  started = [];
  ends = [];
}

function ask(owner: string, number: number, isLimited = true): Presence[] {
  return Array.from({ length: number }, (_, index) => {
    const presence = new Presence(null);
    const entrant = { owner, limits: TIME, isLimited: () => isLimited };
    void admission.admit(entrant, presence).then((admitted: Admitted) => {
      started.push(typeof admitted === "function" ? `${owner}${index + 1}` : admitted);
      if (typeof admitted === "function") ends.push(admitted);
    });
    return presence;
  });
}

async function pass(ticks: number): Promise<void> {
  for (let passed = 0; passed < ticks; passed += 1) clock.advance(20);
  await turns();
}

async function turns(): Promise<void> {
  for (let index = 0; index < 10; index += 1) await Promise.resolve();
}

test("beyond a burst, the requests of an owner start at its rate, and those of another do not wait for them", async () => {
  ask("a", 5);
  ask("b", 2);
  await turns();
  expect(started).toEqual(["a1", "a2", "b1", "b2"]);
  for (const end of ends) end();
  await pass(1);
  expect(started.slice(4)).toEqual(["a3"]);
  await pass(2);
  expect(started.slice(5)).toEqual(["a4", "a5"]);
});

test("owners take turns for the slots of the process, each with at most its own", async () => {
  create({ ...LIMITS, slots: 5 });
  ask("a", 20, false);
  ask("b", 2, false);
  ask("c", 2, false);
  await turns();
  expect(started).toEqual(["a1", "a2", "a3", "a4", "b1"]);
  ends[4]?.();
  await turns();
  expect(started.at(-1)).toBe("b2");
  for (const end of ends.slice(0, 2)) end();
  await turns();
  expect(started.slice(6)).toEqual(["a5", "c1"]);
});

test("a request whose caller leaves never starts, and one whose caller has left takes no turn", async () => {
  const presences = ask("a", 5);
  await turns();
  for (const presence of presences.slice(2)) presence.leave();
  await pass(10);
  expect(started).toEqual(["a1", "a2", "left", "left", "left"]);
  expect(admission.waiting).toBe(0);
});

test("a request that waited for 15 seconds is refused, and so are those beyond 1,000", async () => {
  create({ ...LIMITS, slots: 1 });
  ask("a", 1_003, false);
  await turns();
  expect([started, refused]).toEqual([["a1", "refused", "refused"], 2]);
  await pass(749);
  expect(admission.waiting).toBe(1_000);
  await pass(1);
  expect([admission.waiting, refused]).toEqual([0, 1_002]);
});

test("all owners together start a limited number in a tick", async () => {
  create({ ...LIMITS, starts: 3, startsWhenLate: 3 });
  for (const owner of ["a", "b", "c", "d", "e"]) ask(owner, 1);
  await turns();
  expect(started).toEqual(["a1", "b1", "c1"]);
  await pass(1);
  expect(started).toEqual(["a1", "b1", "c1", "d1", "e1"]);
});

test("a late process starts half as many in each tick, and one more in each tick that is in time", async () => {
  let nowMs = 1;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  create({ ...LIMITS, starts: 8, startsWhenLate: 2 });
  for (let owner = 0; owner < 60; owner += 1) ask(`${owner}-`, 1);
  await turns();
  expect(started).toHaveLength(8);
  const counts: number[] = [];
  for (const tookMs of [20, 27, 27, 27, 20]) {
    const before = started.length;
    nowMs += tookMs;
    await pass(1);
    counts.push(started.length - before);
  }
  expect(counts).toEqual([8, 4, 2, 2, 3]);
});

test("the work of a caller that has left ends until it has had an effect", () => {
  const [reading, writing] = [new Presence(null), new Presence(null)];
  writing.beginEffect();
  for (const presence of [reading, writing]) presence.leave();
  expect(() => reading.requirePresence()).toThrow("The request was aborted.");
  expect(() => writing.requirePresence()).not.toThrow();
});
