import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ServedMock } from "../../packages/mocks/src/node.ts";
import { CommandError, run } from "../packages/commands.ts";
import { bundle, callingAll, runProgram, runWorker, WORKER, writeJavaScript } from "./runtimes.ts";
import { installed, load, TRIES_ALL } from "./toolchain.ts";

/** A bundler's settings are not typed: the bundlers are of the toolchain only. */
type Settings = Readonly<Record<string, unknown>>;
type Place = "node" | "worker" | "page";

interface Job {
  readonly entry: string;
  readonly folder: string;
  readonly place: Place;
}

/** Gives the file of the bundle. */
type Bundler = (job: Job, settings: Settings) => Promise<string>;

/** For each place its settings, or several. */
type Targets = Readonly<Partial<Record<Place, Settings | readonly Settings[]>>>;

const WEBPACK: Targets = { node: { target: "node" }, worker: { target: "webworker" }, page: { target: "web" } };
const ROLLUP: Targets = { node: {}, worker: { browser: true }, page: { browser: true } };
const SSR_WORKER = { noExternal: true, target: "webworker" };
const BUNDLERS: Readonly<Record<string, readonly [bundler: Bundler, targets: Targets]>> = {
  esbuild: [
    ({ entry, folder }, settings) => bundle(entry, { ...settings, outfile: join(folder, "main.mjs") }),
    { node: { platform: "node" }, worker: { ...WORKER }, page: { platform: "browser" } },
  ],
  webpack: [withWebpack("webpack"), WEBPACK],
  rspack: [withWebpack("@rspack/core"), WEBPACK],
  rollup: [withRollup, ROLLUP],
  vite: [
    withVite,
    {
      node: { ssr: { noExternal: true } },
      worker: [{ ssr: SSR_WORKER }, { ssr: { ...SSR_WORKER, resolve: { conditions: WORKER.conditions } } }],
      page: {},
    },
  ],
  ncc: [withNcc, { node: {} }],
};

/**
 * One application, bundled by each bundler for each place where it may run, links an account at a mock. Bundled for a page, it
 * refuses, although some bundlers resolve the same files for a page and for a worker.
 */
export async function proveBundlers(place: string, service: ServedMock): Promise<void> {
  const programs = join(place, "bundlers");
  await writeJavaScript(programs, ["service", "sdk"], callingAll(["sdk"], service));
  // Without `--all`, one that resolves packages as Node does, and one by its own rules.
  for (const [name, [bundler, targets]] of Object.entries(BUNDLERS).slice(0, TRIES_ALL ? undefined : 2)) {
    const all = Object.entries(targets).flatMap(([place, some]) => [some].flat().map((one) => [place, one] as const));
    for (const [index, [target, settings]] of all.entries()) {
      const folder = join(programs, `${name}-${index}`);
      const entry = join(programs, target === "worker" ? "worker.js" : "main.js");
      const file = await bundler({ entry, folder, place: target as Place }, settings);
      if (target === "page") await expectRefusal(file, folder, JSON.stringify(service.url));
      else if (target === "worker") await runWorker(file, service.url);
      else await runProgram(folder, { name, program: process.execPath }, service.url, {}, file);
    }
    console.log(`  ${name}: its bundles for ${Object.keys(targets).join(", ")} are right`);
  }
}

/**
 * Bundles an import of a package for browsers, as an application's front end would, and loads the bundle: in a page it has to
 * refuse, and in Node, where tests load such bundles too, it runs.
 */
export async function proveBrowserBuild(place: string, name: string): Promise<void> {
  const entry = join(place, `browser-${name.split("/")[1]}.js`);
  await writeFile(entry, `import * as sdk from "${name}";\nconsole.log(Object.keys(sdk));\n`);
  const file = await bundle(entry, { platform: "browser" });
  await expectRefusal(file, place);
  await run(process.execPath, [file], { folder: place });
  console.log(`  ${name} in a bundle for browsers: refuses to load in a page`);
}

/** What a page has, and the `process` that bundlers put there. */
const PAGE = `data:text/javascript,${encodeURIComponent(`
globalThis.window = globalThis.self = globalThis;
globalThis.document = { querySelectorAll: () => [], currentScript: null };
globalThis.location = { href: "http://page.test/" };
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Mozilla/5.0" } });
globalThis.process = { argv: process.argv, env: {}, versions: {} };`)}`;

/** Runs a file as in a page. It has to refuse, and to say that the key belongs on a server. */
async function expectRefusal(file: string, folder: string, ...parameters: readonly string[]): Promise<void> {
  const refusal = await run(process.execPath, ["--import", PAGE, file, ...parameters], { folder }).catch(
    (error: unknown) => error,
  );
  if (refusal instanceof CommandError && refusal.message.includes("This key belongs on a server")) return;
  throw new Error(`${file} does not refuse to run in a page: ${String(refusal)}`);
}

interface Stats {
  hasErrors(): boolean;
  toString(options: object): string;
}

/** webpack, or Rspack, which has the same interface. */
function withWebpack(name: string): Bundler {
  return async ({ entry, folder, place }, settings) => {
    const { default: bundler } = await load(name);
    const filename = place === "worker" ? "main.mjs" : "main.cjs";
    const output = { path: folder, filename };
    const asModule = {
      output: { ...output, module: true, library: { type: "module" } },
      experiments: { outputModule: true },
      externalsType: "module",
    };
    const all = { mode: "production", ...settings, entry, output, ...(place === "worker" ? asModule : {}) };
    const stats = await promisify<object, Stats>(bundler)(all);
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
    return join(folder, filename);
  };
}

async function withRollup({ entry, folder }: Job, resolution: Settings): Promise<string> {
  const { rollup } = await load("rollup");
  const { nodeResolve } = await load("@rollup/plugin-node-resolve");
  const bundled = await rollup({ input: entry, plugins: [nodeResolve(resolution)] });
  const file = join(folder, "main.mjs");
  await bundled.write({ file, format: "es" });
  return file;
}

async function withVite({ entry, folder, place }: Job, settings: Settings): Promise<string> {
  const { build } = await load("vite");
  const rollupOptions = { input: entry, output: { entryFileNames: "main.mjs" } };
  const ssr = place === "page" ? {} : { ssr: entry };
  const built = { outDir: folder, emptyOutDir: false, rollupOptions, ...ssr };
  await build({ configFile: false, logLevel: "error", root: dirname(entry), build: built, ...settings });
  return join(folder, "main.mjs");
}

async function withNcc({ entry, folder }: Job): Promise<string> {
  const program = installed("@vercel/ncc/dist/ncc/cli.js");
  await run(process.execPath, [program, "build", entry, "--out", folder, "--quiet"], { folder: dirname(entry) });
  return join(folder, "index.js");
}
