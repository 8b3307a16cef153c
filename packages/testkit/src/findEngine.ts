import { existsSync } from "node:fs";
import { env } from "node:process";
import { findBrowser, HOW_TO_GET_ONE, installedPaths } from "./findBrowser.ts";

export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];

/** The engine in which journeys run: BROWSER_ENGINE, or Chromium. */
export function engineName(): EngineName {
  return ENGINES.find((engine) => engine === env["BROWSER_ENGINE"]) ?? "chromium";
}

export function findFirefox(): string | undefined {
  return installedPaths({
    commands: ["firefox-esr", "firefox"],
    applications: ["Firefox"],
    programs: ["Mozilla Firefox/firefox.exe"],
  }).find((path) => existsSync(path));
}

/** What to install for an engine; undefined if nothing is missing. */
export async function missingFor(engine: EngineName): Promise<string | undefined> {
  if (engine === "chromium") return (await findBrowser()) === undefined ? HOW_TO_GET_ONE : undefined;
  if (engine === "firefox") return findFirefox() === undefined ? "Install Firefox (Debian: firefox-esr)." : undefined;
  const isInstalled = (command: string) => installedPaths({ commands: [command] }).some((path) => existsSync(path));
  if (["WebKitWebDriver", "Xvfb"].every(isInstalled)) return undefined;
  return "Install WebKitGTK's driver and Xvfb (Debian: webkit2gtk-driver xvfb).";
}
