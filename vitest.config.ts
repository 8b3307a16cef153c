import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** More than the patience of a single wait in a test (see `eventually` of the testkit), so that it can say what it waited for. */
const HANGS_AFTER_MS = 180_000;

/** Packages are imported from their TypeScript, so a test never sees a stale build. */
const SOURCE_CONDITION = "@social-connect/source";
const resolve = {
  conditions: [SOURCE_CONDITION, "module", "node", "development|production"],
  externalConditions: [SOURCE_CONDITION, "node"],
};

export default defineConfig({
  resolve: {
    conditions: resolve.conditions,
    // graphql names an ES module build that Node itself does not take; with both, there would be two copies of its classes.
    alias: [
      { find: /^graphql$/, replacement: createRequire(import.meta.resolve("./apps/server/")).resolve("graphql") },
    ],
  },
  ssr: { resolve },
  // The environment in which vitest runs the global set-up.
  environments: { __vitest__: { resolve } },
  test: {
    include: ["{apps,packages,examples}/*/src/**/*.test.ts", "tools/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/_generated/**"],
    // What a file's imports were resolved to is kept with it, and stays when an installation has moved them: a file then
    // finds no runner. Transforming anew takes a hundredth of a run.
    fsModuleCache: false,
    globalSetup: ["./apps/server/src/platform/testing/globalSetup.ts"],
    // A process for each file; each file has its own database, so files never meet.
    pool: "forks",
    // Most of a file is waiting, for a database, a browser or a process: on two cores the default of one at a time idles.
    // All of them share one database server, whose connections bound how many may run at once.
    maxWorkers: Math.min(8, Math.max(3, availableParallelism() - 1)),
    // Whole processes and browsers run on whatever machine there is: in CI one that stalled is tried once more, and told as such.
    retry: process.env["CI"] ? 1 : 0,
    // These end what hangs, and are no measure of speed: the machine may have much else to do.
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    teardownTimeout: HANGS_AFTER_MS,
    expect: { poll: { timeout: HANGS_AFTER_MS / 2 } },
    allowOnly: false,
    restoreMocks: true,
    execArgv: [`--conditions=${SOURCE_CONDITION}`, "--disable-warning=ExperimentalWarning"],
  },
});
