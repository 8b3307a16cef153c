import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CASES } from "./cases/all.ts";

const LINE = /^- `([^`]+)`: .+ \((`[^`]+`(?:, `[^`]+`)*)\)$/;
const page = readFileSync(new URL("../rules.md", import.meta.url), "utf8");
const lines = page.split("\n").filter((line) => line.startsWith("- "));

/** Whether the suite has the case, or one whose id begins so. */
function isThere(id: string): boolean {
  return CASES.some((one) => (id.endsWith("*") ? one.id.startsWith(id.slice(0, -1)) : one.id === id));
}

test("each rule names the cases that check it", () => {
  const wrong = lines.filter((line) => {
    const ids = LINE.exec(line)?.[2]?.replaceAll("`", "").split(", ") ?? [];
    return ids.length === 0 || !ids.every(isThere);
  });
  expect(wrong).toEqual([]);
  expect(lines.length).toBeGreaterThan(300);
});
