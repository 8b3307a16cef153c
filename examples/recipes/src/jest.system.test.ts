import { join } from "node:path";
import { expect, test } from "vitest";
import { FROM_SOURCE, RECIPES, runNode } from "./testing/runProgram.ts";

test("the recipe for Jest runs, with ES modules and MSW", async () => {
  const jest = join(RECIPES, "node_modules/jest/bin/jest.js");
  const { output, exitCode } = await runNode([
    ...FROM_SOURCE,
    "--experimental-vm-modules",
    jest,
    "--ci",
    "--runInBand",
    "--config",
    "jest/jest.config.mjs",
  ]);
  expect(output).toContain("Tests:       2 passed, 2 total");
  expect(exitCode).toBe(0);
});
