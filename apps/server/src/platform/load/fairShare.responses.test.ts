import { type TestClock, testClock } from "@social-connect/testkit";
import { beforeEach, expect, test } from "vitest";
import { TimeShare } from "./fairShare.ts";

const LIMITS = { msPerSecond: 200, burstMs: 6, leastMs: 2 };

let clock: TestClock;
let others: boolean;
let share: TimeShare;
/** The responses that were sent, in order. */
let sent: string[];

beforeEach(() => {
  clock = testClock();
  others = true;
  share = new TimeShare(LIMITS, clock, () => others);
  sent = [];
});

/** Responses to one owner; returns functions that disconnect their callers. */
function respond(owner: string, number: number): (() => void)[] {
  return Array.from({ length: number }, (_, index) => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const whenLeft = (run: () => void) => {
      signal.addEventListener("abort", run);
      return () => signal.removeEventListener("abort", run);
    };
    void share.wait(owner, whenLeft).then(() => sent.push(`${owner}${index + 1}`));
    return () => leaving.abort();
  });
}

function answer(name: string, ms: number, part?: number): void {
  void share.wait("a", () => () => undefined, ms, part).then(() => sent.push(name));
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20) clock.advance(20);
  await turns();
}

async function turns(): Promise<void> {
  for (let index = 0; index < 10; index += 1) await Promise.resolve();
}

test("beyond a burst, the responses of an owner are sent at its rate while another owner calls", async () => {
  respond("a", 7);
  await turns();
  expect(sent).toEqual(["a1", "a2", "a3"]);
  expect(share.waiting).toBe(4);
  await pass(20);
  expect(sent).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  await pass(20);
  expect(sent).toEqual(["a1", "a2", "a3", "a4", "a5", "a6", "a7"]);
  expect(share.waiting).toBe(0);
});

test("without another owner's calls nothing is delayed, and what was delayed is sent", async () => {
  others = false;
  respond("a", 20);
  await turns();
  expect(sent).toHaveLength(20);
  others = true;
  respond("a", 7);
  await turns();
  expect(sent).toHaveLength(23);
  others = false;
  await pass(20);
  expect(sent).toHaveLength(27);
});

test("owners have separate accounts", async () => {
  respond("a", 4);
  respond("c", 3);
  await turns();
  expect(sent.sort()).toEqual(["a1", "a2", "a3", "c1", "c2", "c3"]);
});

test("after a pause, an owner has a burst again and not more", async () => {
  respond("a", 3);
  await pass(10_000);
  sent = [];
  respond("a", 4);
  await turns();
  expect(sent).toEqual(["a1", "a2", "a3"]);
});

test("a response whose caller disconnects is counted and not delayed", async () => {
  const leave = respond("a", 6);
  await turns();
  leave[3]?.();
  await turns();
  expect(sent).toEqual(["a1", "a2", "a3", "a4"]);
  await pass(20);
  expect(sent).toEqual(["a1", "a2", "a3", "a4", "a5"]);
});

test("the number of delayed responses is limited", async () => {
  respond("a", 1_010);
  await turns();
  expect(sent).toEqual(["a1", "a2", "a3", "a1004", "a1005", "a1006", "a1007", "a1008", "a1009", "a1010"]);
});

test("a response counts as the time that it took: after a second of work, the next ones wait for a second's share", async () => {
  answer("expensive", 1_000);
  answer("next", 2);
  await turns();
  expect(sent).toEqual(["expensive"]);
  // 994 ms more than its burst, at 4 ms each 20 ms.
  await pass(4_960);
  expect(sent).toEqual(["expensive"]);
  await pass(20);
  expect(sent).toEqual(["expensive", "next"]);
});

test("a response can count as a part of the least time", async () => {
  for (let index = 1; index <= 13; index += 1) answer(`${index}`, 0, 0.25);
  await turns();
  expect(sent).toHaveLength(12);
});

test("owners beyond 10,000 share an account", async () => {
  for (let owner = 0; owner < 10_000; owner += 1) respond(`owner ${owner}`, 1);
  respond("late", 2);
  respond("later", 2);
  await turns();
  expect(sent.filter((name) => name.startsWith("late"))).toEqual(["late1", "late2", "later1"]);
  await pass(20);
  expect(sent.filter((name) => name.startsWith("late"))).toHaveLength(4);
});
