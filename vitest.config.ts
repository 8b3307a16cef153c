import { createRequire, registerHooks } from "node:module";
import { availableParallelism } from "node:os";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ENGINES, missingFor } from "./packages/testkit/src/findEngine.ts";
import { skipBrowserTests } from "./packages/testkit/src/skipBrowserTests.ts";

/**
 * Longer than the timeout of a single wait in a test (see `eventually` of the testkit), so that the wait reports its
 * own failure.
 */
const HANGS_AFTER_MS = 180_000;

/** Packages whose tests need no database and leave nothing behind for the next file. */
const PLAIN = ["admin-sdk", "conformance", "contract", "domain", "mocks", "sdk", "sdk-core", "transport"].join("|");
const BROWSER_TESTS = "**/*.browser.test.ts";
/** Tests that start a program or a second process, build something, or browse beyond the one journey of a page. */
const SYSTEM_TESTS = "**/*.system.test.ts";
/** System tests that compare times under load, and so run one at a time, beside no others. */
const ALONE_TESTS = "**/*.alone.system.test.ts";
/** Tests of what one database does, such as its plans and its locks. */
const ONE_DATABASE_TESTS =
  env["TEST_DATABASE_DISTRIBUTED"] === undefined ? [] : ["**/*Plans.test.ts", "**/graphql/**/audits.test.ts"];
/** The main journeys, for each engine. */
const ENGINE_TESTS = "**/*.engines.browser?(.system).test.ts";
const BROWSER_SYSTEM_TESTS = "**/*.browser.system.test.ts";
/** Files that replace a module, which needs vite's loader, or measure the heap: by their name, or because pages show them. */
const OWN_PROCESS = [
  "**/*.ownProcess.test.ts",
  "examples/integrator-tests/src/**/*.test.ts",
  "packages/admin-sdk/src/guides.test.ts",
];
/** `installed` runs the main journeys in each engine, and says which one is not installed. `all` fails instead. */
const BROWSERS = env["BROWSERS"];
const skipping = await skipBrowserTests();
/**
 * A file's imports take longer than most of its tests, so the files of a project share processes. Node loads them: vite's
 * loader takes a tenth more CPU time. Only it can skip browser tests.
 */
const SHARED = {
  exclude: [BROWSER_TESTS, SYSTEM_TESTS, ...OWN_PROCESS, ...ONE_DATABASE_TESTS],
  isolate: false,
  experimental: { viteModuleRunner: skipping.length > 0, nodeLoader: false },
};
/** The same for system tests: a mock that intercepts `fetch` must not meet the files of other projects. */
const SYSTEM = { ...SHARED, exclude: [BROWSER_SYSTEM_TESTS, ...OWN_PROCESS] };
const DATABASE_SERVER = ["./apps/server/tools/databaseServer.ts"];
const engines = BROWSERS === undefined ? null : await findEngines();

/** Packages are imported from their TypeScript, so a test never sees a stale build. */
const SOURCE_CONDITION = "@social-connect/source";
// Not `module`, one of vite's defaults: Node does not take it, and builds under that name need a bundler.
const resolve = {
  conditions: [SOURCE_CONDITION, "node", "development|production"],
  externalConditions: [SOURCE_CONDITION, "node"],
};

// Node loads the global setup in this process, which has no flags.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [SOURCE_CONDITION, ...context.conditions] }),
});

// Programs that tests start load hundreds of files, which Node compiles once for all of them.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url));

export default defineConfig({
  plugins: BROWSERS === undefined ? [skipping] : [],
  resolve: {
    conditions: resolve.conditions,
    // graphql names an ES module build that Node itself does not take; with both, there would be two copies of its classes.
    alias: [
      { find: /^graphql$/, replacement: createRequire(import.meta.resolve("./apps/server/")).resolve("graphql") },
    ],
  },
  ssr: { resolve },
  // The environment in which vitest runs the global setup.
  environments: { __vitest__: { resolve } },
  test: {
    exclude: ["**/node_modules/**", "**/dist/**", "**/_generated/**"],
    tags: [
      {
        name: "nightly",
        description:
          "`.ci/run` leaves it out, because quicker tests fail with most of its faults. `.ci/nightly` runs it.",
      },
    ],
    projects: engines ?? [
      {
        extends: true,
        test: { ...SHARED, name: "plain", include: [`packages/@(${PLAIN})/src/**/*.test.ts`] },
      },
      {
        extends: true,
        test: {
          ...SHARED,
          name: "service",
          include: [
            "{apps,examples}/*/{src,tools}/**/*.test.ts",
            `packages/!(${PLAIN})/src/**/*.test.ts`,
            "{system-tests,tools}/**/*.test.ts",
          ],
          globalSetup: DATABASE_SERVER,
        },
      },
      {
        extends: true,
        test: {
          ...SHARED,
          name: "browser",
          include: [BROWSER_TESTS],
          exclude: OWN_PROCESS,
          globalSetup: DATABASE_SERVER,
        },
      },
      {
        extends: true,
        test: { name: "own process", include: OWN_PROCESS, globalSetup: DATABASE_SERVER },
      },
      // `pnpm test` leaves the projects of system tests out, and `pnpm test:system` runs them.
      {
        extends: true,
        test: {
          ...SYSTEM,
          name: "system plain",
          include: [`packages/@(${PLAIN})/src/**/*.system.test.ts`],
        },
      },
      {
        extends: true,
        test: {
          ...SYSTEM,
          name: "system",
          include: [SYSTEM_TESTS],
          exclude: [BROWSER_SYSTEM_TESTS, ALONE_TESTS, `packages/@(${PLAIN})/**`, ...OWN_PROCESS],
          globalSetup: DATABASE_SERVER,
        },
      },
      {
        extends: true,
        test: {
          ...SYSTEM,
          name: "system browser",
          include: [BROWSER_SYSTEM_TESTS],
          exclude: OWN_PROCESS,
          globalSetup: DATABASE_SERVER,
        },
      },
      {
        extends: true,
        test: { name: "system alone", include: [ALONE_TESTS], globalSetup: DATABASE_SERVER, fileParallelism: false },
      },
    ],
    // vitest caches the resolved imports of a file, and a reinstallation makes them invalid. Without the cache a run
    // takes 1 % longer.
    fsModuleCache: false,
    // Each file has its own database, so files that run at the same time never meet.
    pool: "forks",
    // Most of a file's time is spent waiting for a database, a browser or a process, so the default of one worker per
    // core leaves two cores idle. All files share one database server, whose connection limit bounds the number of
    // workers.
    maxWorkers: Math.min(8, Math.max(3, availableParallelism() - 1)),
    // Tests start processes and browsers on machines of any speed: CI repeats a failed test once and reports it.
    retry: process.env["CI"] ? 1 : 0,
    // These timeouts end hangs. They do not measure speed, because the machine may be busy.
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    teardownTimeout: HANGS_AFTER_MS,
    expect: { poll: { timeout: HANGS_AFTER_MS / 2 } },
    allowOnly: false,
    restoreMocks: true,
    // Threads of the garbage collector only take processors from the other workers.
    execArgv: [`--conditions=${SOURCE_CONDITION}`, "--disable-warning=ExperimentalWarning", "--single-threaded-gc"],
  },
});

async function findEngines() {
  const projects = [];
  for (const engine of ENGINES) {
    const missing = await missingFor(engine);
    if (missing === undefined) {
      const test = {
        name: `system ${engine}`,
        env: { BROWSER_ENGINE: engine },
        include: [ENGINE_TESTS],
        globalSetup: DATABASE_SERVER,
      };
      projects.push({ extends: true as const, test });
    } else if (BROWSERS === "all") throw new Error(`There is no ${engine}. ${missing}`);
    else console.warn(`Skipped: the journeys in ${engine}. ${missing}`);
  }
  return projects;
}
