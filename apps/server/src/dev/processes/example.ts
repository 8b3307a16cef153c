import { extname } from "node:path";
import { waitUntilItAnswers } from "./waitUntilItAnswers.ts";

/** A separate program, as an integrator would write it: it starts on import and reads its own environment. */
const PROGRAM = new URL(
  extname(import.meta.url) === ".ts" ? "../../../../../examples/web-backend/src/main.ts" : "./example/main.js",
  import.meta.url,
);

export async function start() {
  await import(PROGRAM.href);
  await waitUntilItAnswers(`http://127.0.0.1:${process.env.PORT}/`, 10_000);
  // It handles SIGTERM itself, so there is nothing to wait for.
  return { stop: async () => undefined };
}
