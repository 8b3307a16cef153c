import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as buildWithEsbuild, transform } from "esbuild";
import { serveMock } from "../../packages/mocks/src/node.ts";
import { CommandError, run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { bundleForNode, runWorker, WORKER_CONDITIONS } from "./bundled.ts";
import { entryOf, installed, TRIES_ALL } from "./toolchain.ts";

const PROGRAM = join(ROOT, "tools", "consumers", "uses", "linking.ts");
/** A bundler's settings, and the results of its functions, are not typed: the bundlers are of the toolchain only. */
type Settings = Readonly<Record<string, unknown>>;

/** Where a bundle runs. */
type Place = "node" | "worker" | "page";

interface Job {
  readonly entry: string;
  readonly folder: string;
  readonly place: Place;
}

/** Bundles an entry and returns the file to run. */
type Bundler = (job: Job) => Promise<string>;

const BUNDLERS: Readonly<Record<string, readonly (readonly [place: Place, bundle: Bundler])[]>> = {
  esbuild: [
    ["node", ({ entry }) => bundleForNode(entry)],
    ["worker", (job) => withEsbuild(job, { conditions: [...WORKER_CONDITIONS], mainFields: ["browser", "module"] })],
    ["page", (job) => withEsbuild(job, { platform: "browser" })],
  ],
  webpack: [
    ["node", (job) => withWebpack("webpack", job, "node")],
    ["worker", (job) => withWebpack("webpack", job, "webworker")],
    ["page", (job) => withWebpack("webpack", job, "web")],
  ],
  rspack: [
    ["node", (job) => withWebpack("@rspack/core", job, "node")],
    ["worker", (job) => withWebpack("@rspack/core", job, "webworker")],
    ["page", (job) => withWebpack("@rspack/core", job, "web")],
  ],
  rollup: [
    ["node", (job) => withRollup(job, {})],
    ["worker", (job) => withRollup(job, { browser: true })],
    ["page", (job) => withRollup(job, { browser: true })],
  ],
  vite: [
    ["node", (job) => withVite(job, { ssr: { noExternal: true } })],
    ["worker", (job) => withVite(job, { ssr: { noExternal: true, target: "webworker" } })],
    ["worker", (job) => withVite(job, { ssr: { noExternal: true, target: "webworker", resolve: ofWorkers } })],
    ["page", (job) => withVite(job, {})],
  ],
  ncc: [["node", withNcc]],
};
const ofWorkers = { conditions: ["workerd", "worker", "browser"] };

/**
 * One application, bundled by each bundler for each place where it may run, links an account at a mock. Bundled for a page, it
 * refuses, although some bundlers resolve the same files for a page and for a worker.
 */
export async function proveBundlers(place: string): Promise<void> {
  const folder = join(place, "bundlers");
  const entries = await writeEntries(folder);
  const { url, close } = await serveMock();
  try {
    // Without `--all`, one that resolves packages as Node does, and one by its own rules.
    for (const [name, places] of Object.entries(BUNDLERS).slice(0, TRIES_ALL ? undefined : 2)) {
      for (const [index, [target, bundle]] of places.entries()) {
        const job = { entry: entries[target], folder: join(folder, `${name}-${index}`), place: target };
        const file = await bundle(job);
        if (target === "page") await expectRefusal(file, folder, url);
        else
          await expectLinked(
            `${name} for a ${target}`,
            await (target === "node" ? runNode(file, folder, url) : runWorker(file, url)),
          );
      }
      console.log(`  ${name}: its bundles for ${[...new Set(places.map(([target]) => target))].join(", ")} are right`);
    }
  } finally {
    await close();
  }
}

async function writeEntries(folder: string): Promise<Readonly<Record<Place, string>>> {
  const { code } = await transform(await readFile(PROGRAM, "utf8"), { loader: "ts" });
  const program = 'import { link } from "./linking.js";\nlink(process.argv[2]).then(console.log);\n';
  const worker = `import { link } from "./linking.js";
export default { fetch: async ({ url }) => new Response(await link(new URL(url).searchParams.get("service"))) };
`;
  const files = { "package.json": '{"type":"module"}', "linking.js": code, "node.js": program, "worker.js": worker };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const node = join(folder, "node.js");
  return { node, page: node, worker: join(folder, "worker.js") };
}

const runNode = (file: string, folder: string, url: string) => run(process.execPath, [file, url], { folder });

function expectLinked(what: string, output: string): void {
  if (output.trim() !== "CONNECTED") throw new Error(`${what}: the account is not linked: ${output}`);
}

/** What a page has, and the `process` that bundlers put there. */
const PAGE = `data:text/javascript,${encodeURIComponent(`
globalThis.window = globalThis.self = globalThis;
globalThis.document = { querySelectorAll: () => [], currentScript: null };
globalThis.location = { href: "http://page.test/" };
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Mozilla/5.0" } });
globalThis.process = { argv: process.argv, env: {}, versions: {} };`)}`;

/** Runs a file as in a page. It has to refuse, and to say that the key belongs on a server. */
export async function expectRefusal(file: string, folder: string, ...parameters: readonly string[]): Promise<void> {
  const refusal = await run(process.execPath, ["--import", PAGE, file, ...parameters], { folder }).catch(
    (error: unknown) => error,
  );
  if (refusal instanceof CommandError && refusal.message.includes("This key belongs on a server")) return;
  throw new Error(`${file} does not refuse to run in a page: ${String(refusal)}`);
}

async function withEsbuild({ entry, folder }: Job, settings: Settings): Promise<string> {
  const outfile = join(folder, "main.mjs");
  await buildWithEsbuild({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    logLevel: "error",
    ...settings,
  });
  return outfile;
}

/** webpack, or Rspack, which has the same interface. */
async function withWebpack(name: string, { entry, folder, place }: Job, target: string): Promise<string> {
  const { default: bundler } = await load(name);
  const filename = place === "worker" ? "main.mjs" : "main.cjs";
  const asModule = { experiments: { outputModule: true }, externalsType: "module" };
  const library = place === "worker" ? { module: true, library: { type: "module" } } : {};
  const settings = {
    mode: "production",
    target,
    entry,
    output: { path: folder, filename, ...library },
    ...(place === "worker" ? asModule : {}),
  };
  await new Promise<void>((resolve, reject) => {
    bundler(settings, (error: Error | null, stats: { hasErrors(): boolean; toString(options: Settings): string }) => {
      if (error !== null) reject(error);
      else if (stats.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true })));
      else resolve();
    });
  });
  return join(folder, filename);
}

async function withRollup({ entry, folder }: Job, resolution: Settings): Promise<string> {
  const { rollup } = await load("rollup");
  const { nodeResolve } = await load("@rollup/plugin-node-resolve");
  const bundle = await rollup({ input: entry, plugins: [nodeResolve(resolution)] });
  const file = join(folder, "main.mjs");
  await bundle.write({ file, format: "es" });
  return file;
}

async function withVite({ entry, folder, place }: Job, settings: Settings): Promise<string> {
  const { build } = await load("vite");
  const output = { entryFileNames: "main.mjs" };
  const rollupOptions = { input: entry, output };
  const ssr = place === "page" ? {} : { ssr: entry };
  const built = { outDir: folder, emptyOutDir: false, rollupOptions, ...ssr };
  await build({ configFile: false, logLevel: "error", root: join(folder, ".."), build: built, ...settings });
  return join(folder, "main.mjs");
}

async function withNcc({ entry, folder }: Job): Promise<string> {
  const program = installed("@vercel/ncc/dist/ncc/cli.js");
  await run(process.execPath, [program, "build", entry, "--out", folder, "--quiet"], { folder: ROOT });
  return join(folder, "index.js");
}

// biome-ignore lint/suspicious/noExplicitAny: the bundlers are installed with the toolchain only, without their types.
async function load(name: string): Promise<any> {
  return import(pathToFileURL(entryOf(name)).href);
}
