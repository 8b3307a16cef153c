import { describe, expect, it } from "vitest";
import { withinLimits } from "./withinLimits.ts";

const LIMITS = { operation: "status", timeoutMs: 60_000, signal: undefined };
const never = () => new Promise<never>(() => undefined);

describe("withinLimits", () => {
  it("returns the result or rejects with the error", async () => {
    expect(await withinLimits(LIMITS, async () => 7)).toBe(7);
    await expect(withinLimits(LIMITS, async () => Promise.reject("its own"))).rejects.toBe("its own");
  });

  it("times out and aborts the signal, even if the function ignores the signal", async () => {
    let given: AbortSignal | undefined;
    const running = withinLimits({ ...LIMITS, timeoutMs: 1 }, (signal) => {
      given = signal;
      return never();
    });
    await expect(running).rejects.toMatchObject({ name: "TimeoutError", operation: "status" });
    expect(given?.aborted).toBe(true);
  });

  it("does not start for an aborted signal, and ends when the signal aborts", async () => {
    const stop = new AbortController();
    const running = withinLimits({ ...LIMITS, signal: stop.signal }, never);
    stop.abort("gone");
    await expect(running).rejects.toBe("gone");
    let begun = false;
    const late = withinLimits({ ...LIMITS, signal: stop.signal }, async () => {
      begun = true;
    });
    await expect(late).rejects.toBe("gone");
    expect(begun).toBe(false);
  });

  it("removes its listeners from a signal that outlives the call", async () => {
    const { signal } = new AbortController();
    const added: string[] = [];
    const counting = Object.create(signal, {
      addEventListener: { value: () => added.push("add") },
      removeEventListener: { value: () => added.push("remove") },
      throwIfAborted: { value: () => undefined },
    });
    await Promise.all([1, 2, 3].map((value) => withinLimits({ ...LIMITS, signal: counting }, async () => value)));
    expect(added).toEqual(["add", "remove"]);
  });
});
