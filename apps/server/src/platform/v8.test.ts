import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { V8_OPTIONS } from "./v8.ts";

/** Of Node's list, without their values. */
function optionsOfNode(): ReadonlySet<string> {
  const list = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  return new Set([...list.matchAll(/^ {2}(--[\w-]+) \(/gm)].map(([, name]) => name ?? ""));
}

test("Node knows each option of V8", () => {
  const known = optionsOfNode();
  expect(known.size).toBeGreaterThan(500);
  const names = V8_OPTIONS.map((option) => option.split("=")[0] ?? "");
  expect(names).toHaveLength(2);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect(known.has("--no-such-option")).toBe(false);
});
