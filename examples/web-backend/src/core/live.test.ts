import { describe, expect, it } from "vitest";
import { ManualTimer } from "../testing/manualTimer.ts";
import { type LiveState, LiveStreams } from "./live.ts";

const LIMITS = { streams: 3, streamsPerUser: 2 };

function startStreams() {
  const timer = new ManualTimer();
  const streams = new LiveStreams(timer, LIMITS);
  let state: LiveState = { version: "one", isBusy: false };
  const open = (since: string, userId = "mara") => streams.open(userId, since, async () => state);
  return {
    timer,
    streams,
    open,
    become: (next: LiveState) => {
      state = next;
    },
  };
}

/** Reads a stream message by message. */
function messagesOf(stream: ReadableStream<Uint8Array> | undefined) {
  const reader = (stream ?? new ReadableStream()).getReader();
  const decoder = new TextDecoder();
  return { next: async () => decoder.decode((await reader.read()).value), cancel: () => reader.cancel() };
}

describe("a stream", () => {
  it("sends a heartbeat while nothing changes, and an event with the version when something does", async () => {
    const { timer, open, become } = startStreams();
    const messages = messagesOf(open("one"));
    expect(await messages.next()).toBe("retry: 2000\n\n");
    expect(await messages.next()).toBe(": heartbeat\n\n");
    become({ version: "two", isBusy: true });
    timer.tick();
    expect(await messages.next()).toBe("id: two\nevent: changed\ndata: two\n\n");
    timer.tick();
    expect(await messages.next()).toBe(": heartbeat\n\n");
    expect(timer.slept.slice(0, 2)).toEqual([15_000, 2_000]);
  });

  it("sends an event immediately to a browser that missed a change", async () => {
    const { open } = startStreams();
    const messages = messagesOf(open("an older version"));
    await messages.next();
    expect(await messages.next()).toContain("id: one");
  });

  it("is not opened beyond the limits, and is counted until its browser leaves", async () => {
    const { streams, open } = startStreams();
    const first = messagesOf(open("one"));
    open("one");
    expect(open("one")).toBeUndefined();
    open("one", "yuki");
    expect(open("one", "jonas")).toBeUndefined();
    expect(streams.count).toBe(3);
    await first.next();
    await first.next();
    await first.cancel();
    await expect.poll(() => streams.count).toBe(2);
    expect(open("one", "jonas")).toBeDefined();
  });

  it("ends after its lifetime, when the state cannot be read, and when the process stops", async () => {
    const { timer, streams, open } = startStreams();
    const messages = messagesOf(open("one"));
    for (let waited = 0; waited < 10 * 60_000; waited += 15_000) {
      await expect.poll(() => timer.isSleeping).toBe(true);
      timer.tick();
    }
    await expect.poll(() => streams.count).toBe(0);
    await messages.cancel();

    streams.open("mara", "one", () => Promise.reject(new Error("not found")));
    await expect.poll(() => streams.count).toBe(0);

    open("one");
    expect(streams.count).toBe(1);
    streams.stop();
    await expect.poll(() => streams.count).toBe(0);
  });
});
