import { existsSync } from "node:fs";
import { env } from "node:process";
import type { Browser } from "playwright-core";
import { PATIENCE_MS } from "./eventually.ts";
import { findBrowser, HOW_TO_GET_ONE, installedPaths } from "./findBrowser.ts";

export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];

/** The engine in which journeys run: BROWSER_ENGINE, or Chromium. */
export function engineName(): EngineName {
  return ENGINES.find((engine) => engine === env["BROWSER_ENGINE"]) ?? "chromium";
}

/** Starts an installed Firefox. The channel drives it by WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const { firefox } = await import("playwright-core");
  const paths = installedPaths({
    commands: ["firefox-esr", "firefox"],
    applications: ["Firefox"],
    programs: ["Mozilla Firefox/firefox.exe"],
  });
  const executablePath = paths.find((path) => existsSync(path)) ?? "firefox";
  return firefox.launch({ channel: "moz-firefox", executablePath, timeout: PATIENCE_MS });
}

/** What to install for an engine; undefined if nothing is missing. */
export async function missingFor(engine: EngineName): Promise<string | undefined> {
  if (engine === "chromium") return (await findBrowser()) === undefined ? HOW_TO_GET_ONE : undefined;
  if (engine === "firefox") {
    const needed = "Install a Firefox that Playwright can drive (Debian: firefox-esr)";
    const explain = ({ message }: Error) => `${needed}: ${message.split("\n", 1)}.`;
    return launchFirefox().then(async (browser) => void (await browser.close()), explain);
  }
  const isInstalled = (command: string) => installedPaths({ commands: [command] }).some((path) => existsSync(path));
  if (["WebKitWebDriver", "Xvfb"].every(isInstalled)) return undefined;
  return "Install WebKitGTK's driver and Xvfb (Debian: webkit2gtk-driver xvfb).";
}
