import { describe, expect, it, vi } from "vitest";
import { pause, systemClock } from "./clock.ts";

/** Counts the current listeners of a signal. */
function counted(signal: AbortSignal) {
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  vi.spyOn(signal, "addEventListener").mockImplementation((...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  });
  vi.spyOn(signal, "removeEventListener").mockImplementation((...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  });
  return () => listeners;
}

describe("sleeping in real time", () => {
  it("ends after its delay, including 0 ms, and removes its abort listener", async () => {
    const { signal } = new AbortController();
    const listeners = counted(signal);
    await systemClock.sleep(0, signal);
    await systemClock.sleep(-5, signal);
    await systemClock.sleep(1);
    expect(listeners()).toBe(0);
  });

  it("ends immediately with the caller's reason, before and during the delay", async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(2 ** 40, stop.signal);
    stop.abort("enough");
    await expect(sleeping).rejects.toBe("enough");
    await expect(systemClock.sleep(1, stop.signal)).rejects.toBe("enough");
  });

  it("adds one listener to a signal for any number of sleeps", async () => {
    const stop = new AbortController();
    const listeners = counted(stop.signal);
    const sleepers = Array.from({ length: 40 }, () => systemClock.sleep(60_000, stop.signal));
    expect(listeners()).toBe(1);
    stop.abort("all of you");
    const outcomes = await Promise.allSettled(sleepers);
    expect(new Set(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason))).toEqual(
      new Set(["all of you"]),
    );
  });
});

describe("sleeping with a clock that ignores the signal", () => {
  const deaf = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };

  it("ends immediately with the caller's reason for a clock that ignores the signal", async () => {
    const stop = new AbortController();
    const listeners = counted(stop.signal);
    const pausing = pause(deaf, 1_000, stop.signal);
    stop.abort("enough");
    await expect(pausing).rejects.toBe("enough");
    await expect(pause(deaf, 1_000, stop.signal)).rejects.toBe("enough");
    expect(listeners()).toBeLessThanOrEqual(1);
  });

  it("removes its listener when the sleep ends or fails", async () => {
    const { signal } = new AbortController();
    const listeners = counted(signal);
    await pause({ now: () => 0, sleep: async () => undefined }, 1, signal);
    const failing = { now: () => 0, sleep: () => Promise.reject(new Error("no clock")) };
    await expect(pause(failing, 1, signal)).rejects.toThrow("no clock");
    expect(listeners()).toBe(0);
  });
});
