import { describe, expect, it, vi } from "vitest";
import { systemClock } from "./clock.ts";

/** Counts the listeners that a signal has been given and not relieved of. */
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

describe("sleeping by real time", () => {
  it("ends after its time, also when that is none, and lets go of the signal", async () => {
    const { signal } = new AbortController();
    const listeners = counted(signal);
    await systemClock.sleep(0, signal);
    await systemClock.sleep(-5, signal);
    await systemClock.sleep(1);
    expect(listeners()).toBe(0);
  });

  it("ends at once with the caller's reason, before and while it sleeps", async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(2 ** 40, stop.signal);
    stop.abort("enough");
    await expect(sleeping).rejects.toBe("enough");
    await expect(systemClock.sleep(1, stop.signal)).rejects.toBe("enough");
  });

  it("gives a signal one listener however many sleep on it", async () => {
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
