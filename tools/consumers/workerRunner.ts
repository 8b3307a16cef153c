/** Runs one bundled worker in workerd, asks it once, and ends: `workerRunner.ts BUNDLE SERVICE_URL`. */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { entryOf } from "./toolchain.ts";

/** What is used of miniflare, which is installed with the toolchain only. */
interface WorkerHost {
  dispatchFetch(url: string): Promise<{ readonly status: number; text(): Promise<string> }>;
  dispose(): Promise<void>;
}
interface Miniflare {
  readonly Miniflare: new (options: Readonly<Record<string, unknown>>) => WorkerHost;
}

const [bundle = "", serviceUrl = ""] = process.argv.slice(2);
const { Miniflare } = (await import(pathToFileURL(entryOf("miniflare")).href)) as Miniflare;
const host = new Miniflare({ modules: true, script: await readFile(bundle, "utf8"), compatibilityDate: "2026-06-01" });
try {
  const answer = await host.dispatchFetch(`http://worker.test/?service=${encodeURIComponent(serviceUrl)}`);
  const text = await answer.text();
  console.log(text);
  if (answer.status !== 200) process.exitCode = 1;
} finally {
  await host.dispose();
}
