import { env } from "node:process";
import type { Plugin } from "vitest/config";
import { findBrowser, HOW_TO_GET_ONE } from "./findBrowser.ts";

const BROWSER_TEST = /\.browser(?:\.system)?\.test\.ts$/;

/**
 * Skips `*.browser.test.ts` and `*.browser.system.test.ts` on a machine without a browser, so that the report names each file.
 * Throws in CI, where a skipped test would go unnoticed.
 */
export async function skipBrowserTests(): Promise<Plugin[]> {
  if ((await findBrowser()) !== undefined) return [];
  if (env["CI"]) throw new Error(`There is no browser, and CI skips no test. ${HOW_TO_GET_ONE}`);
  console.warn(`There is no browser, so the browser tests are skipped. ${HOW_TO_GET_ONE}`);
  const skipped = `import { test } from "vitest";\ntest.skip(${JSON.stringify(`needs a browser. ${HOW_TO_GET_ONE}`)});\n`;
  return [{ name: "skip-browser-tests", enforce: "pre", load: (id) => (BROWSER_TEST.test(id) ? skipped : null) }];
}
