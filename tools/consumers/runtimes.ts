/** Programs of `uses` in every runtime of JavaScript: an input and an answer in JSON. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, transform } from "esbuild";
import { run } from "../packages/commands.ts";
import { load, type Runtime } from "./toolchain.ts";

const USES = fileURLToPath(new URL("./uses/", import.meta.url));
/** As the command line of the best known worker platform bundles; `browser` is among them, so it must not come first. */
export const WORKER: BuildOptions = {
  target: "es2022",
  conditions: ["workerd", "worker", "browser"],
  mainFields: ["browser", "module", "main"],
};

/** Writes a program from a file of `uses`, for each place where it may run. `main` exports the function `run` of the input. */
export async function writeProgram(folder: string, use: string, main: string): Promise<void> {
  const { code } = await transform(await readFile(join(USES, `${use}.ts`), "utf8"), { loader: "ts" });
  const files = {
    "package.json": '{"type":"module"}',
    [`${use}.js`]: code,
    "run.js": main,
    "main.js": `import { run } from "./run.js";
run(JSON.parse(process.argv[2])).then((answer) => {
  console.log(JSON.stringify(answer));
  process.exit(0);
});
`,
    "worker.js": `import { run } from "./run.js";
const inputIn = (url) => JSON.parse(new URL(url).searchParams.get("input"));
export default { fetch: async ({ url }) => Response.json(await run(inputIn(url))) };
`,
    "page.js": 'import { run } from "./run.js";\nglobalThis.run = run;\n',
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Runs a program, and returns its answer. */
export async function runProgram(
  folder: string,
  { program, parameters = [] }: Runtime,
  input: unknown,
  environment = {},
  file = join(folder, "main.js"),
) {
  return JSON.parse(await run(program, [...parameters, file, JSON.stringify(input)], { folder, environment }));
}

export async function bundle(entry: string, settings: BuildOptions): Promise<string> {
  const { outfile = entry.replace(/\.[jt]s$/, ".bundle.mjs") } = settings;
  await build({ entryPoints: [entry], bundle: true, format: "esm", logLevel: "error", ...settings, outfile });
  return outfile;
}

/** Bundles a worker as for a deployment and runs it. Returns what it responds; rejects with what it threw. */
export async function bundleAndRunWorker(entry: string, input: unknown) {
  return runWorker(await bundle(entry, WORKER), input);
}

/** Runs a bundled worker in workerd, and asks it once. */
export async function runWorker(file: string, input: unknown) {
  const { Miniflare } = await load("miniflare");
  const script = await readFile(file, "utf8");
  // It writes a trace for each request that fails, as many are meant to.
  const handleRuntimeStdio = (...streams: readonly Readable[]) => streams.map((stream) => stream.resume());
  const host = new Miniflare({ modules: true, script, compatibilityDate: "2026-06-01", handleRuntimeStdio });
  try {
    const answer = await host.dispatchFetch(`http://worker.test/?input=${encodeURIComponent(JSON.stringify(input))}`);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text);
    return JSON.parse(text);
  } finally {
    await host.dispose();
  }
}
