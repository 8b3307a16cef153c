import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CASES } from "../../packages/conformance/src/cases/all.ts";
import { isCase, PLANTED_FAULTS, ROOT, testOf } from "./plantedFaults.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

test.each(PLANTED_FAULTS)("$name: its line is there once, and so is what notices it", ({ file, from, noticedBy }) => {
  expect(read(file).split(from)).toHaveLength(2);
  if (isCase(noticedBy)) expect(CASES.map(({ id }) => id)).toContain(noticedBy);
  else expect(() => read(testOf(noticedBy).file)).not.toThrow();
});

test.each([
  ["apps/server", 25],
  ["packages/mocks", 12],
  ["packages/sdk", 12],
  ["packages/domain", 10],
])("faults are planted in %s", (folder, least) => {
  expect(PLANTED_FAULTS.filter(({ file }) => file.startsWith(folder)).length).toBeGreaterThanOrEqual(least);
});
