import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CASES } from "../packages/conformance/src/cases/all.ts";

/** Corrected only together with a line that is added, or deleted with its reason. */
const COUNT = 367;

const ROOT = new URL("../", import.meta.url);
const page = await readFile(new URL("invariants.md", import.meta.url), "utf8");
const lines = page.split("\n").filter((line) => line.startsWith("- "));
const LINE = /^- `(.+?)`(?:: .*)? \((\S+)\)$/;

test("the file of each invariant names it", async () => {
  const missing: string[] = [];
  for (const line of lines) {
    const [, text = "", file = ""] = LINE.exec(line) ?? [];
    const source = await readFile(fileURLToPath(new URL(file, ROOT)), "utf8").catch(() => "");
    if (text === "" || !source.includes(text)) missing.push(line);
  }
  expect(missing).toEqual([]);
  expect(lines).toHaveLength(COUNT);
  expect(new Set(lines).size).toBe(COUNT);
});

test("each case of conformance that is recorded is run", async () => {
  const recorded = (await readFile(new URL("conformanceCases.txt", import.meta.url), "utf8")).trim().split("\n");
  const run = new Set(CASES.map(({ id }) => id));
  expect(recorded.filter((id) => !run.has(id))).toEqual([]);
});
