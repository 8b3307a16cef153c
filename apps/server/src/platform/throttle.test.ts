import { TestClock } from "@social-connect/testkit";
import { beforeEach, expect, test } from "vitest";
import { CallingOwners } from "./callingOwners.ts";
import { Throttle } from "./throttle.ts";

let clock: TestClock;
let calling: CallingOwners;
let throttle: Throttle;
/** The responses that were sent, in order. */
let sent: string[];

beforeEach(() => {
  clock = new TestClock();
  calling = new CallingOwners(clock);
  throttle = new Throttle(
    { perSecond: 100, burst: 3, msPerToken: Number.POSITIVE_INFINITY, maxDelayed: 4 },
    clock,
    calling,
  );
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
    void throttle.wait(owner, whenLeft).then(() => sent.push(`${owner}${index + 1}`));
    return () => leaving.abort();
  });
}

/** Moves the clock, with the other owner's calls. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    calling.add("b");
    clock.advance(10);
  }
  await turns();
}

async function turns(): Promise<void> {
  for (let index = 0; index < 10; index += 1) await Promise.resolve();
}

test("beyond a burst, the responses of an owner are sent at its rate while another owner calls", async () => {
  calling.add("b");
  respond("a", 7);
  await turns();
  expect(sent).toEqual(["a1", "a2", "a3"]);
  await pass(20);
  expect(sent).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  await pass(20);
  expect(sent).toEqual(["a1", "a2", "a3", "a4", "a5", "a6", "a7"]);
});

test("without another owner's calls nothing is delayed, and what was delayed is sent", async () => {
  calling.add("a");
  respond("a", 20);
  await turns();
  expect(sent).toHaveLength(20);
  calling.add("b");
  respond("a", 7);
  await turns();
  expect(sent).toHaveLength(23);
  for (let second = 0; second < 2; second += 1) clock.advance(1_000);
  clock.advance(20);
  await turns();
  expect(sent).toHaveLength(27);
});

test("owners have separate buckets", async () => {
  calling.add("b");
  respond("a", 4);
  respond("c", 3);
  await turns();
  expect(sent.sort()).toEqual(["a1", "a2", "a3", "c1", "c2", "c3"]);
});

test("after a pause, an owner has a burst again and not more", async () => {
  calling.add("b");
  respond("a", 3);
  await pass(10_000);
  sent = [];
  respond("a", 4);
  await turns();
  expect(sent).toEqual(["a1", "a2", "a3"]);
});

test("a response whose caller disconnects is not counted and not delayed", async () => {
  calling.add("b");
  const leave = respond("a", 6);
  await turns();
  leave[3]?.();
  await turns();
  expect(sent).toEqual(["a1", "a2", "a3", "a4"]);
  await pass(20);
  expect(sent).toEqual(["a1", "a2", "a3", "a4", "a5", "a6"]);
});

test("the number of delayed responses is limited", async () => {
  calling.add("b");
  respond("a", 10);
  await turns();
  // The three last ones find four delayed.
  expect(sent).toEqual(["a1", "a2", "a3", "a8", "a9", "a10"]);
});

test("work counts: a response that took long takes the tokens of as many others, at most a burst", async () => {
  throttle = new Throttle({ perSecond: 100, burst: 3, msPerToken: 2, maxDelayed: 4 }, clock, calling);
  const stay = () => () => undefined;
  const answer = (name: string, workMs: number) => void throttle.wait("a", stay, 1, workMs).then(() => sent.push(name));
  calling.add("b");
  answer("two tokens", 4);
  answer("one token", 1);
  answer("a burst", 1_000);
  await turns();
  expect(sent).toEqual(["two tokens", "one token"]);
  await pass(20);
  expect(sent).toEqual(["two tokens", "one token"]);
  await pass(20);
  expect(sent).toEqual(["two tokens", "one token", "a burst"]);
});

test("owners beyond 10,000 share a bucket", async () => {
  calling.add("b");
  for (let owner = 0; owner < 10_000; owner += 1) respond(`owner ${owner}`, 1);
  respond("late", 2);
  respond("later", 2);
  await turns();
  expect(sent.filter((name) => name.startsWith("late"))).toEqual(["late1", "late2", "later1"]);
  await pass(20);
  expect(sent.filter((name) => name.startsWith("late"))).toHaveLength(4);
});
