import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { PATIENCE_MS } from "./eventually.ts";
import { findBrowser, HOW_TO_GET_ONE } from "./findBrowser.ts";

/** Folder of the unpacked browser: below node_modules, so that each clone has its own and git ignores it. */
const CACHE_FOLDER = fileURLToPath(new URL("../node_modules/.cache/", import.meta.url));

/** Disables background requests: the browser only contacts the pages under test. */
const QUIET_FLAGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-default-apps",
  "--no-default-browser-check",
  "--no-first-run",
  "--no-pings",
  "--disable-gpu",
  // A container's /dev/shm may be too small for a page.
  "--disable-dev-shm-usage",
  "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
];

/** A headless Chromium, see `browserProgram`. Flags that would disable the same-origin policy are omitted. */
export async function launchBrowser(options: { readonly args?: readonly string[] } = {}): Promise<Browser> {
  const { env, args = [], ...program } = await browserProgram();
  const all = [...args, ...(options.args ?? [])];
  // Playwright is loaded by tests that start a browser, and by no other test.
  const { chromium } = await import("playwright-core");
  return makePatient(await chromium.launch({ ...program, args: all, env: { ...process.env, ...env } }));
}

/** How to launch the browser that `findBrowser` finds. */
export async function browserProgram() {
  const options = { args: QUIET_FLAGS, timeout: PATIENCE_MS };
  const found = await findBrowser();
  if (found === undefined) throw new Error(`There is no browser. ${HOW_TO_GET_ONE}`);
  if (found !== "npm package") return { ...options, ...found, env: {} };
  const folder = await unpackBrowser();
  // Without fonts, pages are drawn empty.
  return { ...options, executablePath: join(folder, "chromium"), env: { FONTCONFIG_PATH: join(folder, "fonts") } };
}

/** Every step of every page is waited for as long as a busy machine may need; the default gives it up after 30 seconds. */
export function makePatient(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** Unpacked aside and moved into place when whole, so that test files which start together never see half of it. */
async function unpackBrowser(): Promise<string> {
  const packageFile = new URL("../package.json", import.meta.resolve("@sparticuz/chromium"));
  const { version } = JSON.parse(await readFile(packageFile, "utf8")) as { version: string };
  const folder = join(CACHE_FOLDER, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE_FOLDER, { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    // The package unpacks into the temporary folder, which only a separate process can override.
    const unpack = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      env: { ...process.env, TMPDIR: draft },
    });
    await writeFile(join(draft, "fonts", "fonts.conf"), fontSettings(folder));
    await rename(draft, folder).catch((error) => {
      // Another test file was faster; its copy is the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** The package's settings look up fonts in fixed paths such as /tmp/fonts, which other programs also use. */
function fontSettings(folder: string): string {
  const text = (path: string) => path.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${text(join(folder, "fonts", "fonts"))}</dir>
  <cachedir>${text(join(folder, "fonts-cache"))}</cachedir>
</fontconfig>
`;
}
