import { expect, test } from "vitest";
import type { ClockDriver } from "../target/target.ts";
import { ClockLine } from "./clockLine.ts";

function movable(): ClockDriver & { moves: number[] } {
  let nowMs = 0;
  const moves: number[] = [];
  return {
    moves,
    now: async () => new Date(nowMs),
    advance: async (milliseconds) => {
      moves.push(milliseconds);
      nowMs += milliseconds;
    },
  };
}

test("one movement of the clock serves all waiting cases", async () => {
  const clock = movable();
  const line = new ClockLine(clock);
  const log: string[] = [];
  const waiter = async (name: string, moments: readonly number[]) => {
    for (const moment of moments) {
      await line.until(new Date(moment));
      log.push(`${name}@${moment} at ${(await clock.now()).getTime()}`);
    }
    line.leave();
  };
  line.join();
  line.join();
  await Promise.all([waiter("a", [10_000, 9_000_000]), waiter("b", [20_000, 9_000_000])]);
  expect(log.toSorted()).toEqual([
    "a@10000 at 10300",
    "a@9000000 at 9000300",
    "b@20000 at 20300",
    "b@9000000 at 9000300",
  ]);
  expect(clock.moves).toEqual([10_300, 10_000, 8_980_000]);
});

test("the clock does not move while a case is working", async () => {
  const clock = movable();
  const line = new ClockLine(clock);
  line.join();
  line.join();
  const waiting = line.until(new Date(5));
  await Promise.resolve();
  expect(clock.moves).toEqual([]);
  line.leave();
  await waiting;
  expect(clock.moves).toEqual([305]);
});

test("a time in the past moves nothing", async () => {
  const clock = movable();
  const line = new ClockLine(clock);
  line.join();
  await line.until(new Date(-1));
  expect(clock.moves).toEqual([]);
});
