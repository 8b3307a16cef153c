import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";

const RUNNER = fileURLToPath(new URL("./workerRunner.ts", import.meta.url));
/** As the command line of the best known worker platform bundles; `browser` is among them, so it must not come first. */
export const WORKER_CONDITIONS: readonly string[] = ["workerd", "worker", "browser"];

/** Bundles a compiled consumer for Node, and gives the bundle's path. */
export async function bundleForNode(entry: string): Promise<string> {
  const outfile = entry.replace(/\.js$/, ".bundle.mjs");
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  return outfile;
}

/** Bundles a consumer as for a deployment to workers and runs it in their runtime. Returns its answer; rejects with what it threw. */
export async function runInWorker(entry: string, serviceUrl: string): Promise<string> {
  const outfile = entry.replace(/\.ts$/, ".bundle.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: [...WORKER_CONDITIONS],
    mainFields: ["browser", "module", "main"],
    logLevel: "error",
  });
  return run(process.execPath, ["--disable-warning=ExperimentalWarning", RUNNER, outfile, serviceUrl], {
    folder: ROOT,
  });
}

/** Runs a bundle in the runtime of workers, and returns its answer. */
export function runWorker(bundle: string, serviceUrl: string): Promise<string> {
  return run(process.execPath, ["--disable-warning=ExperimentalWarning", RUNNER, bundle, serviceUrl], { folder: ROOT });
}
