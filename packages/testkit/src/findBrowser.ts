import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { arch, env, platform } from "node:process";

export const PATH_VARIABLE = "PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH";
export const HOW_TO_GET_ONE = `Install Chrome, Chromium or Edge, or set ${PATH_VARIABLE} to one.`;

/** A browser on this machine, or the one of an npm package, which runs on Linux for x64 only. */
export type FoundBrowser = { readonly executablePath: string } | "npm package";

/** How a program is installed on Linux, on macOS and on Windows. */
interface Installed {
  readonly commands: readonly string[];
  readonly applications?: readonly string[];
  readonly programs?: readonly string[];
}

const CHROMIUM: Installed = {
  commands: ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "microsoft-edge"],
  applications: ["Google Chrome", "Chromium", "Microsoft Edge"],
  programs: ["Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"],
};

/** undefined without a browser. PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH overrides all others. */
export async function findBrowser(): Promise<FoundBrowser | undefined> {
  const { chromium } = await import("playwright-core");
  const named = env[PATH_VARIABLE];
  const paths = named ? [named] : [chromium.executablePath(), ...installedPaths(CHROMIUM)];
  const executablePath = paths.find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath };
  return !named && platform === "linux" && arch === "x64" ? "npm package" : undefined;
}

/** Where installers put a program. */
export function installedPaths({ commands, applications = [], programs = [] }: Installed): string[] {
  if (platform === "darwin") return applications.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  if (platform === "win32") {
    const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) => env[name] ?? []);
    return folders.flatMap((folder) => programs.map((program) => join(folder, program)));
  }
  const folders = (env["PATH"] ?? "").split(delimiter);
  return commands.flatMap((command) => folders.map((folder) => join(folder, command)));
}
