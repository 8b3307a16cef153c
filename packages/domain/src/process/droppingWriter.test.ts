import { expect, test } from "vitest";
import { droppingWriter } from "./droppingWriter.ts";

/** A stream as standard output: it continues after an error, and keeps what a slow reader has not taken. */
function output() {
  const state = { failure: null as Error | null, isRead: true, written: "" };
  let waiting = "";
  const stream = {
    get writableLength() {
      return waiting.length;
    },
    on: () => undefined,
    write: (text: string, onEnd: (error?: Error | null) => void) => {
      if (state.failure === null && state.isRead) state.written += waiting + text;
      waiting = state.failure === null && !state.isRead ? waiting + text : "";
      if (state.isRead) onEnd(state.failure);
    },
  };
  return { state, write: droppingWriter(stream), read: () => stream.write("", () => undefined) };
}

test("drops lines that cannot be written, and says how many afterwards", () => {
  const { state, write } = output();
  write("first");
  state.failure = new Error("no space left");
  write("second");
  write("third");
  state.failure = null;
  write("fourth");
  write("fifth");
  expect(state.written).toBe("first\n(2 earlier lines could not be written.)\nfourth\nfifth\n");
});

test("keeps a bounded number of lines for a slow reader", () => {
  const { state, write, read } = output();
  state.isRead = false;
  for (let count = 0; count < 1_000; count++) write("x".repeat(1_000));
  state.isRead = true;
  read();
  expect(state.written.length).toBeLessThan(300_000);
  write("last");
  expect(state.written).toMatch(/\(\d+ earlier lines could not be written\.\)\nlast\n$/);
});
