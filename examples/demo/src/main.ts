/**
 * Runs the complete path in under a minute, unattended: starts a development environment, and for each provider
 * connects an account through the steps of a real browser, reads its posts, looks one up, refreshes, disconnects, and
 * waits for both receipts. Exits with 0 only if all of it succeeded, and cleans up.
 *
 *     pnpm demo [--json]
 */
import { parseArgs } from "node:util";
import { SocialConnect, type SocialProvider } from "@social-connect/sdk";
import { makeDevPlace } from "../../../packages/testkit/src/harness/devPlace.ts";
import { jsonReport, textReport } from "./report.ts";
import { tourProvider } from "./tour.ts";

const TIMEOUT_MS = 180_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
  const report = values.json ? jsonReport() : textReport();
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => interrupted.abort(new Error("interrupted")));
  const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(TIMEOUT_MS)]);

  const startedAtMs = performance.now();
  report.begin("starting");
  const place = await makeDevPlace({ signal });
  try {
    const { dev } = await place.start();
    report.step(null, "ready", { seconds: secondsSince(startedAtMs) });
    const { baseUrl, key } = dev.consumer;
    const social = new SocialConnect({ baseUrl, key });
    const { providers } = await social.readiness();
    for (const { provider } of providers) {
      report.begin(provider);
      await tourProvider({ social, dev, report, signal, now: new Date() }, provider as SocialProvider);
    }
  } finally {
    await place[Symbol.asyncDispose]();
  }
  report.step(null, "done", { seconds: secondsSince(startedAtMs) });
}

function secondsSince(startMs: number): number {
  return Math.round((performance.now() - startMs) / 100) / 10;
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(`demo failed: ${error.message}`);
    process.exit(1);
  },
);
