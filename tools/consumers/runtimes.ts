/** Programs of `uses` in every runtime of JavaScript: an input and an answer in JSON. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import type { ServedMock } from "../../packages/mocks/src/node.ts";
import { Visitor } from "../../packages/testkit/src/visitor.ts";
import { run } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { load, type Runtime } from "./toolchain.ts";

const USES = fileURLToPath(new URL("./uses/", import.meta.url));
/** As the command line of the best known worker platform bundles; `browser` is among them, so it must not come first. */
export const WORKER: BuildOptions = {
  target: "es2022",
  conditions: ["workerd", "worker", "browser"],
  mainFields: ["browser", "module", "main"],
};

/** A program for each place where it may run. */
const PLACES: Readonly<Record<string, string>> = {
  main: `import { run } from "./run.js";
run(JSON.parse(process.argv[2] ?? "")).then((answer) => {
  console.log(JSON.stringify(answer));
  process.exit(0);
});
`,
  worker: `import { run } from "./run.js";
const inputIn = (url: string) => JSON.parse(new URL(url).searchParams.get("input") ?? "");
export default { fetch: async ({ url }: Request) => Response.json(await run(inputIn(url))) };
`,
  page: 'import { run } from "./run.js";\nObject.assign(globalThis, { run });\n',
};

/** Writes a program with files of `uses`. The module `run` exports the function `run` of the input. */
export async function writeProgram(folder: string, uses: readonly string[], run: string): Promise<void> {
  await copyUses(folder, uses, ".js");
  for (const [name, text] of Object.entries({ ...PLACES, run })) await writeFile(join(folder, `${name}.ts`), text);
}

/** The same as JavaScript. */
export async function writeJavaScript(folder: string, uses: readonly string[], run: string): Promise<void> {
  await writeProgram(folder, uses, run);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await build({ entryPoints: [join(folder, "*.ts")], outdir: folder, logLevel: "error" });
}

/** The program that calls each of `uses` with the service. */
export function callingAll(uses: readonly string[], { mock }: ServedMock): string {
  const imports = uses.map((use, index) => `import { use as use${index} } from "./${use}.js";`);
  const calls = uses.map((_, index) => `  await use${index}(service);`);
  return `${imports.join("\n")}

export async function run(url: string): Promise<string> {
  const service = { url, applicationKey: "${mock.key}", adminKey: "${mock.admin.writeKey}" };
${calls.join("\n")}
  return "used";
}
`;
}

/** The files of `uses` that say how a consumer uses each package. */
export function usesOf(packages: readonly PackedPackage[]): readonly string[] {
  return packages.map(({ name }) => name.split("/")[1] ?? name).filter((use) => existsSync(join(USES, `${use}.ts`)));
}

/** This workspace imports the `.ts` file; a consumer may import what comes out, or leave the ending to its resolution. */
export async function copyUses(folder: string, uses: readonly string[], ending: ".js" | ""): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const use of uses) {
    const text = await readFile(join(USES, `${use}.ts`), "utf8");
    await writeFile(join(folder, `${use}.ts`), text.replaceAll(/(from "\.\/\w+)\.ts"/g, `$1${ending}"`));
  }
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

async function startWorker(file: string, options = {}) {
  const { Miniflare } = await load("miniflare");
  const script = await readFile(file, "utf8");
  const host = new Miniflare({ modules: true, script, compatibilityDate: "2026-06-01", ...options });
  return {
    fetch: (to: string, init: object): Promise<Response> => host.dispatchFetch(to, { ...init, redirect: "manual" }),
    [Symbol.asyncDispose]: () => host.dispose(),
  };
}

/** Runs a bundled worker in workerd, and asks it once. Returns what it responds; rejects with what it threw. */
export async function runWorker(file: string, input: unknown) {
  // It writes a trace for each request that fails, as many are meant to.
  const handleRuntimeStdio = (...streams: readonly Readable[]) => streams.map((stream) => stream.resume());
  await using host = await startWorker(file, { handleRuntimeStdio });
  const answer = await host.fetch(`http://worker.test/?input=${encodeURIComponent(JSON.stringify(input))}`, {});
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return JSON.parse(text);
}

/** The example for worker runtimes, with the built SDK, in the runtime of its platform: a user links an account there. */
export async function proveDeployedWorker(folder: string, { url, mock }: ServedMock): Promise<void> {
  const service = { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: mock.key, SOCIAL_CONNECT_TENANT: "acme" };
  const own = { RETURN_URL: "https://app.example.com/return", SESSION_SECRET: "0123456789abcdef".repeat(2) };
  const entry = join(ROOT, "examples/hono-app/src/worker.ts");
  const file = await bundle(entry, { ...WORKER, outfile: join(folder, "deployedWorker.mjs") });
  await using host = await startWorker(file, { bindings: { ...service, ...own } });
  const visitor = await new Visitor(host.fetch, new URL(own.RETURN_URL).origin).signIn();
  const { headers } = await visitor.post("/connect", { provider: "PROVIDER_A" });
  const [id = ""] = /[0-9a-f-]{36}/.exec(decodeURIComponent(String(headers.get("set-cookie")))) ?? [];
  mock.connect(id).complete({ account: "slow-trains" });
  const { location } = await visitor.get(`/return?ss_session_id=${id}`);
  const { text } = await visitor.get(String(location));
  if (!text.includes("<h1>Posts of ")) throw new Error(`the worker shows no posts: ${text}`);
}
