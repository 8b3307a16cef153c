import { MOST_LINE_BYTES } from "@social-connect/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readLines } from "./readLines.ts";

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(text: string, size = 7) {
  const lines: (readonly [number, string | null, number])[] = [];
  for await (const { number, bytes, endsAt } of readLines(chunksOf(Buffer.from(text), size)))
    lines.push([number, bytes && Buffer.from(bytes).toString(), endsAt]);
  return lines;
}

test("splits at line feeds, and counts lines and bytes; a last line feed begins no line", async () => {
  expect(await read("one\n\ntwo and more\r\n")).toEqual([
    [1, "one", 4],
    [2, "", 5],
    [3, "two and more\r", 19],
  ]);
  expect(await read("one\ntwo")).toEqual([
    [1, "one", 4],
    [2, "two", 7],
  ]);
  expect(await read("")).toEqual([]);
});

test("reads the same lines however the bytes arrive", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 1, max: 64 }), async (texts, size) => {
      const file = texts.map((text) => `${text.replaceAll("\n", "")}\n`).join("");
      const lines = (await read(file, size)).map(([, line]) => line);
      expect(lines).toEqual(
        file
          .split("\n")
          .slice(0, -1)
          .map((line) => Buffer.from(line).toString()),
      );
    }),
  );
});

test("a line of 64 KiB is read, and a longer one is too long", async () => {
  const longest = "x".repeat(MOST_LINE_BYTES);
  const lines = await read(`${longest}\n${longest}x\nnext`, 16_384);
  expect(lines.map(([, line]) => line?.length ?? null)).toEqual([MOST_LINE_BYTES, null, 4]);
});

test("a line of 200 MB costs no memory", async () => {
  const chunk = Buffer.alloc(1_048_576, "x");
  async function* endless() {
    for (let count = 0; count < 200; count += 1) yield chunk;
    yield Buffer.from("\n{}\n");
  }
  const before = process.memoryUsage().arrayBuffers;
  const lines: (string | null)[] = [];
  let most = 0;
  for await (const { bytes } of readLines(endless())) {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    lines.push(bytes && Buffer.from(bytes).toString());
  }
  expect(lines).toEqual([null, "{}"]);
  expect(most).toBeLessThan(2 * chunk.length);
});
