import { launchBrowser, makePatient } from "./browser.ts";
import type { EngineBrowser } from "./enginePage.ts";
import { engineName, launchFirefox } from "./findEngine.ts";

/** A browser with the engine that BROWSER_ENGINE names, for `*.engines.browser.*`. */
export async function launchEngine(): Promise<EngineBrowser> {
  const name = engineName();
  if (name === "webkit") return (await import("./webKit.ts")).launchWebKit();
  return name === "chromium" ? launchBrowser() : makePatient(await launchFirefox());
}
