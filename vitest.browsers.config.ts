import { env } from "node:process";
import { defineConfig } from "vitest/config";
import { ENGINES, missingFor } from "./packages/testkit/src/findEngine.ts";
import base from "./vitest.config.ts";

/** Runs the main journeys in each engine that is installed, and says which one is not. BROWSERS=all fails instead. */
const projects = [];
for (const engine of ENGINES) {
  const missing = await missingFor(engine);
  if (missing === undefined) projects.push({ extends: true, test: { name: engine, env: { BROWSER_ENGINE: engine } } });
  else if (env["BROWSERS"] === "all") throw new Error(`There is no ${engine}. ${missing}`);
  else console.warn(`Skipped: the journeys in ${engine}. ${missing}`);
}

export default defineConfig({
  ...base,
  plugins: [],
  test: {
    ...base.test,
    include: ["**/*.engines.browser?(.system).test.ts"],
    globalSetup: ["./apps/server/tools/databaseServer.ts"],
    projects,
  },
});
