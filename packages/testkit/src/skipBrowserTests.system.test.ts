import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { DATABASE_SERVER_VARIABLE } from "./database.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const VITEST = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs");
const FILES = ["packages/testkit/src/launch.browser.system.test.ts", "packages/testkit/src/eventually.test.ts"];

/** Runs both files on a machine without a browser. */
async function runTests(environment: Record<string, string>) {
  const env = {
    ...process.env,
    PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH: join(ROOT, "no-browser"),
    TEST_DATABASE_URL: process.env[DATABASE_SERVER_VARIABLE],
    CI: "",
    NO_COLOR: "1",
    ...environment,
  };
  return promisify(execFile)(execPath, [VITEST, "run", ...FILES], { cwd: ROOT, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

test("without a browser, browser tests are skipped by name, and others run", async () => {
  const { code, output } = await runTests({});
  expect(output).toMatch(/↓ .*packages\/testkit\/src\/launch\.browser\.system\.test\.ts \(1 test \| 1 skipped\)/);
  expect(output).toMatch(/✓ .*packages\/testkit\/src\/eventually\.test\.ts/);
  expect(output).toContain("Install Chrome, Chromium or Edge, or set PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH to one.");
  expect(code).toBe(0);
});

test("CI fails instead of skipping them", async () => {
  const { code, output } = await runTests({ CI: "true" });
  expect(output).toContain("There is no browser, and CI skips no test. Install Chrome");
  expect(code).not.toBe(0);
});
