import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CASES } from "../../packages/conformance/src/cases/all.ts";
import { isCase, PLANTED_FAULTS, ROOT, testOf } from "./plantedFaults.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** The titles in a file of tests, with any text for a parameter. */
function titlesIn(file: string): readonly RegExp[] {
  const literals = [...read(file).matchAll(/\(\s*(["`])((?:\\.|(?!\1)[^\\])*)\1,/gs)];
  return literals.flatMap(([, , literal = ""]) => {
    const texts = literal.replaceAll(/\\(.)/g, "$1").split(/%[#sdifjo]|\$\{[^}]*\}|\$[\w.]+/);
    // A title that is only a parameter would fit everything.
    if (!/\p{L}/u.test(texts.join(""))) return [];
    return [new RegExp(`^${texts.map((text) => text.replaceAll(/[\^$\\.*+?()[\]{}|]/g, "\\$&")).join(".*")}$`, "s")];
  });
}

test.each(PLANTED_FAULTS)("$name: its line is there once, and so is what notices it", ({ file, from, noticedBy }) => {
  expect(read(file).split(from)).toHaveLength(2);
  if (isCase(noticedBy)) expect(CASES.map(({ id }) => id)).toContain(noticedBy);
  else expect(titlesIn(testOf(noticedBy).file).some((title) => title.test(testOf(noticedBy).title))).toBe(true);
});

test("a title that a file does not have is noticed, also beside titles with parameters", () => {
  const has = (title: string) => titlesIn("packages/sdk/src/wire/retryRules.test.ts").some((one) => one.test(title));
  expect(has("stops after the maximum number of retries with increasing delays, and throws the last error")).toBe(true);
  expect(has("after not sent: untrusted certificate")).toBe(true);
  expect(has("stops after the maximum number of retries")).toBe(false);
});

test.each([
  ["apps/server", 25],
  ["packages/mocks", 12],
  ["packages/sdk", 12],
  ["packages/domain", 10],
])("faults are planted in %s", (folder, least) => {
  expect(PLANTED_FAULTS.filter(({ file }) => file.startsWith(folder)).length).toBeGreaterThanOrEqual(least);
});
