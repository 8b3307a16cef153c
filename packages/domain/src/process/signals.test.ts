import { EventEmitter } from "node:events";
import { beforeEach, expect, test } from "vitest";
import { handleSignals } from "./signals.ts";

let source: EventEmitter;
let nowMs: number;
let done: string[];
const handle = (restart?: () => boolean) =>
  handleSignals(source, {
    nowMs: () => nowMs,
    stop: () => done.push("stop"),
    exit: () => done.push("exit"),
    say: (line) => done.push(line),
    ...(restart && { restart }),
  });

beforeEach(() => {
  source = new EventEmitter();
  nowMs = 5_000;
  done = [];
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"])("%s stops once, and after a second ends immediately", (signal) => {
  handle();
  source.emit(signal);
  source.emit("SIGINT");
  expect(done).toEqual(["stop"]);
  nowMs += 1_001;
  source.emit("SIGTERM");
  expect(done).toEqual(["stop", "exit"]);
});

test("SIGQUIT ends immediately", () => {
  handle();
  source.emit("SIGQUIT");
  expect(done).toEqual(["exit"]);
});

test.each(["SIGUSR1", "SIGALRM", "SIGIO"])("%s is reported and ignored", (signal) => {
  handle();
  source.emit(signal);
  expect(done).toEqual([`${signal} is ignored.`]);
});

test("SIGUSR2 replaces the processes of a supervisor, and is reported without one", () => {
  handle(() => done.push("restart") > 0);
  source.emit("SIGUSR2");
  expect(done).toEqual(["restart"]);
  source.removeAllListeners();
  handle();
  source.emit("SIGUSR2");
  expect(done[1]).toMatch(/^SIGUSR2 is ignored: /);
});
