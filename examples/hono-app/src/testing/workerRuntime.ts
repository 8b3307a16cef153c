import { fileURLToPath } from "node:url";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";

const WORKER = fileURLToPath(new URL("../worker.ts", import.meta.url));

/** The worker as deployed: one bundle, in a runtime with web standard APIs and without Node APIs. */
export async function startWorker(bindings: Readonly<Record<string, string>>) {
  const { outputFiles } = await build({
    entryPoints: [WORKER],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "deployed",
    target: "es2022",
    conditions: ["@social-connect/source", "edge-light", "worker"],
    logLevel: "error",
  });
  const runtime = new EdgeVM({ initialCode: outputFiles[0]?.text ?? "" });
  const has = (name: string) => runtime.evaluate<string>(`typeof ${name}`) !== "undefined";
  return {
    has,
    fetch: (url: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
      runtime.evaluate<Promise<Response>>(
        `deployed.default.fetch(new Request(${JSON.stringify(url)}, ${JSON.stringify(init)}), ${JSON.stringify(bindings)})`,
      ),
  };
}
