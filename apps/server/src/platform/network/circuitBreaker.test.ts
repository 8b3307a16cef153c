import { type TestClock, testClock } from "@social-connect/testkit";
import { beforeEach, expect, test } from "vitest";
import { type Admission, type CallOutcome, CircuitBreaker } from "./circuitBreaker.ts";

const OPTIONS = { failures: 3, sources: 2, openMs: 30_000, probeMs: 10_000 };

let clock: TestClock;
let breaker: CircuitBreaker;
let changes: string[];

beforeEach(() => {
  clock = testClock();
  changes = [];
  breaker = new CircuitBreaker(OPTIONS, (state) => changes.push(state));
});

const admit = (source = "one") => breaker.admit(source, clock.current);

function endOf(admission: Admission, outcome: CallOutcome): void {
  if ("waitMs" in admission) throw new Error("the call was stopped");
  admission.end(outcome, clock.current);
}

function call(outcome: CallOutcome, source?: string): void {
  endOf(admit(source), outcome);
}

function open(): void {
  for (const source of ["one", "two", "one"]) call("failed", source);
}

test("opens after consecutive failures of several sources, and returns how long to wait", () => {
  open();
  expect(admit()).toEqual({ waitMs: 30_000 });
  clock.advance(29_999);
  expect(admit()).toEqual({ waitMs: 1 });
  expect(breaker.counts()).toEqual({ state: "open", stopped: 2 });
});

test("failures of one source do not open it", () => {
  for (let index = 0; index < 50; index += 1) call("failed", "one");
  expect(breaker.counts()).toEqual({ state: "closed", stopped: 0 });
});

test("a response in between starts the count again, and a call with an unknown outcome does not count", () => {
  call("failed", "one");
  call("failed", "two");
  call("answered", "three");
  call("failed", "one");
  call("unknown", "two");
  call("failed", "two");
  expect(breaker.counts().state).toBe("closed");
  call("failed", "two");
  expect(breaker.counts().state).toBe("open");
});

test("lets one probe through after the pause, and closes when it is answered", () => {
  open();
  clock.advance(30_000);
  const probe = admit();
  expect(admit()).toEqual({ waitMs: 10_000 });
  endOf(probe, "answered");
  call("answered");
  expect(changes).toEqual(["open", "half-open", "closed"]);
});

test("failed probes of several sources pause again", () => {
  open();
  clock.advance(30_000);
  call("failed", "one");
  const probe = admit("two");
  clock.advance(2_000);
  endOf(probe, "failed");
  for (const source of ["one", "two", "three"]) expect(admit(source)).toEqual({ waitMs: 30_000 });
  clock.advance(30_000);
  call("answered", "one");
  expect(changes.filter((change) => change !== "half-open")).toEqual(["open", "open", "closed"]);
});

test("a source whose probes always fail makes only itself wait", () => {
  open();
  for (let pauses = 0; pauses < 5; pauses += 1) {
    clock.advance(30_000);
    call("failed", "one");
    expect(admit("one")).toEqual({ waitMs: 30_000 });
  }
  call("answered", "two");
  expect(breaker.counts().state).toBe("closed");
});

test("a source whose probes do not end makes only itself wait", () => {
  open();
  clock.advance(30_000);
  admit("one");
  clock.advance(10_000);
  expect(admit("one")).toEqual({ waitMs: 20_000 });
  call("answered", "two");
  expect(breaker.counts().state).toBe("closed");
});

test("after a probe with an unknown outcome, or with none, the next call is a probe", () => {
  open();
  clock.advance(30_000);
  call("unknown");
  const lost = admit();
  clock.advance(10_000);
  const probe = admit("two");
  endOf(lost, "failed");
  expect(admit("three")).toEqual({ waitMs: 10_000 });
  endOf(probe, "answered");
  expect(breaker.counts().state).toBe("closed");
});

test("the failure of a slow probe counts, and the next probe does not while it is in progress", () => {
  open();
  clock.advance(30_000);
  const late = admit("one");
  clock.advance(10_000);
  const probe = admit("two");
  endOf(late, "failed");
  expect(breaker.counts().state).toBe("half-open");
  endOf(probe, "failed");
  expect(breaker.counts().state).toBe("open");
});

test("a call that was sent before it opened closes it when it is answered, and does not prolong it when it fails", () => {
  const [slow, slower] = [admit("three"), admit("four")];
  open();
  clock.advance(5_000);
  endOf(slow, "failed");
  expect(admit()).toEqual({ waitMs: 25_000 });
  endOf(slower, "answered");
  expect(breaker.counts().state).toBe("closed");
});
