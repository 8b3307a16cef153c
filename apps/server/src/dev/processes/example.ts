import { extname } from "node:path";
import type { StartedProcess } from "./child.ts";
import { waitUntilItAnswers } from "./waitUntilItAnswers.ts";

/** A program of its own, as an integrator would write it: it starts when it is loaded, and reads its own environment. */
const PROGRAM = new URL(
  extname(import.meta.url) === ".ts" ? "../../../../../examples/web-backend/src/main.ts" : "./example/main.js",
  import.meta.url,
);

export async function start(): Promise<StartedProcess> {
  await import(PROGRAM.href);
  await waitUntilItAnswers(`http://127.0.0.1:${process.env.PORT}/`, 10_000);
  // It hears SIGTERM itself; what it is told here is that there is nothing more to wait for.
  return { stop: async () => undefined };
}
