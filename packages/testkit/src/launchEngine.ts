import { launchBrowser, makePatient } from "./browser.ts";
import type { EngineBrowser } from "./enginePage.ts";
import { PATIENCE_MS } from "./eventually.ts";
import { engineName, findFirefox } from "./findEngine.ts";

/** A browser with the engine that BROWSER_ENGINE names, for `*.engines.browser.*`. */
export async function launchEngine(): Promise<EngineBrowser> {
  const name = engineName();
  if (name === "webkit") return (await import("./webKit.ts")).launchWebKit();
  if (name === "chromium") return launchBrowser();
  const { firefox } = await import("playwright-core");
  const executablePath = findFirefox() ?? "firefox";
  // The channel drives an installed Firefox, by WebDriver BiDi.
  return makePatient(await firefox.launch({ channel: "moz-firefox", executablePath, timeout: PATIENCE_MS }));
}
