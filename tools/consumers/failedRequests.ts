import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { launchBrowser } from "../../packages/testkit/src/index.ts";
import { type FailingServers, startFailingServers } from "./failingServers.ts";
import {
  consequenceOf,
  expectedOutcome,
  type Outcome,
  type Protocol,
  type RuntimeName,
  SITUATIONS,
} from "./failureTable.ts";
import { bundle, runProgram, runWorker, WORKER, writeJavaScript } from "./runtimes.ts";
import { entryOf, nodeRuntimes, otherRuntimes } from "./toolchain.ts";
import type { FailureCase, FailureReport } from "./uses/failedRequests.ts";

/** A value with the format of a key. */
export const KEY = `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`;
const MOST_REQUESTS = 3;
/** How a connection ends without a response, by the failing servers. */
const ENDS = ["closed", "reset", "cut-headers"];
/** A runtime may return a connection to its pool too late; such a run is repeated. */
const MOST_RUNS = 10;

interface Input {
  readonly cases: readonly FailureCase[];
  readonly key: string;
}
type RunCases = (input: Input, protocol: Protocol) => Promise<readonly FailureReport[]>;

export function casesFor(runtime: RuntimeName, protocol: Protocol, servers: FailingServers): readonly FailureCase[] {
  return SITUATIONS.filter((situation) => expectedOutcome(situation, runtime, protocol) !== undefined).map(
    ({ name, at }): FailureCase => {
      const base = servers[protocol];
      if ("place" in at) return { name, url: servers.places[at.place] ?? "" };
      if ("path" in at) return { name, url: `${base}/${at.path}` };
      const path = { "abort-waiting": "hang", "abort-body": "hang-body" }[at.custom] ?? "ok";
      return { name, url: `${base}/${path}`, custom: at.custom };
    },
  );
}

/** Every difference between the reports of a runtime and the table. */
export function differences(runtime: RuntimeName, protocol: Protocol, reports: readonly FailureReport[]): string[] {
  return SITUATIONS.flatMap((situation) => {
    const outcome = expectedOutcome(situation, runtime, protocol);
    if (outcome === undefined) return [];
    const report = reports.find(({ name }) => name === situation.name);
    const wanted = wantedReport(outcome);
    // Chromium can drop the headers of a stream that is reset soon after them; then the page knows of no response.
    const isDropped = runtime === "Chromium" && protocol === "http2" && outcome === "RESPONSE_CUT";
    const other = isDropped ? wantedReport("UNKNOWN") : wanted;
    return (["read", "other"] as const).flatMap((call) => {
      const { outcome: was, requests, mayHaveBeenSent } = report?.[call] ?? {};
      const found = JSON.stringify({ outcome: was, requests, mayHaveBeenSent });
      const expected = JSON.stringify(wanted[call]);
      const where = `${runtime}, ${protocol}, ${situation.name}, ${call}`;
      return found === expected || found === JSON.stringify(other[call])
        ? []
        : [`${where}: ${found} instead of ${expected}: ${report?.[call].message}`];
    });
  });
}

function wantedReport(outcome: Outcome) {
  const { mayHaveBeenSent = null, reads, others } = consequenceOf(outcome);
  // Nothing is sent for a signal that was aborted before.
  const report = (again: string) => ({ outcome, requests: again === "repeated" ? MOST_REQUESTS : 1, mayHaveBeenSent });
  return { read: report(reads), other: report(others) };
}

/** On a reused connection that ends without a response, each request that the SDK reports was sent once, and may have been sent. */
export async function proveReused(name: string, servers: FailingServers, runCases: RunCases): Promise<void> {
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const place = `${name.replace(" ", "-")}-${runs}`;
    const cases = ENDS.map((end): FailureCase => {
      return { name: end, url: `${servers.http1}/${end}/${place}`, warmUrl: `${servers.http1}/ok/${place}` };
    });
    const reports = await runCases({ cases, key: KEY }, "http1");
    const reused = reports.map(({ name: end, read, other }) => {
      const received = servers.received.filter(({ path }) => path.startsWith(`/${end}/${place}/`));
      const isRight = other.requests === 1 && other.mayHaveBeenSent === true && read.mayHaveBeenSent === true;
      if (!isRight || received.length !== read.requests + other.requests) {
        throw new Error(`${name}: ${received.length} requests for ${JSON.stringify({ end, read, other })}`);
      }
      return received.filter(({ isReused }) => isReused).length;
    });
    if (reused.length === ENDS.length && reused.every((count) => count === 2)) return;
  }
  throw new Error(`${name} reused no connection, so nothing was tested on one`);
}

/** In each runtime, each failure of real servers is what the table says: its error, its retries and whether it may have been sent. */
export async function proveFailedRequests(place: string): Promise<void> {
  const folder = join(place, "failed-requests");
  await writeJavaScript(folder, ["failedRequests"], PROGRAM);
  await using servers = await startFailingServers(join(folder, "certificates"));
  const environment = { NODE_EXTRA_CA_CERTS: servers.authority, DENO_CERT: servers.authority };
  // The version that miniflare has: Node contains undici, without a way to ask its own copy for HTTP/2.
  const undici = pathToFileURL(createRequire(entryOf("miniflare")).resolve("undici"));
  const http2 = join(folder, "http2.js");
  await writeFile(http2, `import undici from "${undici}";\nglobalThis.undici = undici;\n`);
  const wrong: string[] = [];
  const prove = async (name: string, runCases: RunCases) => {
    for (const protocol of ["http1", "http2"] as const) {
      const cases = casesFor(name as RuntimeName, protocol, servers);
      if (cases.length === 0) continue;
      wrong.push(...differences(name as RuntimeName, protocol, await runCases({ cases, key: KEY }, protocol)));
    }
  };
  const inRuntimes = new Map<string, RunCases>();
  for (const runtime of [...nodeRuntimes(), ...otherRuntimes()]) {
    inRuntimes.set(runtime.name, (input, protocol) => {
      const isHttp2 = protocol === "http2" && runtime.name.startsWith("Node");
      const started = isHttp2 ? { ...runtime, parameters: ["--import", http2] } : runtime;
      return runProgram(folder, started, input, environment);
    });
  }
  inRuntimes.set("workerd", async (input) => runWorker(await bundle(join(folder, "worker.js"), WORKER), input));
  for (const [name, runCases] of inRuntimes) {
    await prove(name, runCases);
    await proveReused(name, servers, runCases);
  }
  await proveInChromium(folder, servers, (runCases) => prove("Chromium", runCases));
  if (wrong.length > 0) throw new Error(`failed requests:\n${wrong.join("\n")}`);
  console.log("  failed requests: each of the table's errors, retries and protocols, in every runtime");
  console.log("  a request whose reused connection ends without an answer is sent once, and reported as possibly sent");
}

const PROGRAM = `import * as sdk from "@social-connect/sdk";
import { type FailureCase, failAt } from "./failedRequests.js";
type Undici = { Agent: new (options: object) => object; fetch: (url: string, init: object) => Promise<Response> };
export function run({ cases, key }: { cases: readonly FailureCase[]; key: string }) {
  const { undici } = globalThis as { undici?: Undici };
  if (undici === undefined) return failAt(sdk, cases, key);
  const dispatcher = new undici.Agent({ allowH2: true });
  return failAt(sdk, cases, key, (url: string, init: object) => undici.fetch(url, { ...init, dispatcher }));
}
`;

/** The SDK refuses to run in a page. Here it does not, because Chromium reports the same to the panel and to other clients. */
async function proveInChromium(folder: string, servers: FailingServers, prove: (run: RunCases) => Promise<void>) {
  const guard = "if (isBrowser(scope))";
  let guards = 0;
  const plugin: Plugin = {
    name: "no guard",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\/sdk\/dist\/.*\.js$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        guards += text.split(guard).length - 1;
        return { contents: text.replaceAll(guard, "if (false)") };
      });
    },
  };
  const path = await bundle(join(folder, "page.js"), { format: "iife", platform: "browser", plugins: [plugin] });
  if (guards === 0) throw new Error("the guard against browsers was not found in the build of the SDK");
  await using browser = await launchBrowser();
  await prove(async (input, protocol) => {
    const page = await browser.newPage({ ignoreHTTPSErrors: protocol === "http2" });
    await page.goto(`${servers[protocol]}/page`);
    await page.addScriptTag({ path });
    const reports = await page.evaluate(`run(${JSON.stringify(input)}).then(JSON.stringify)`);
    await page.close();
    return JSON.parse(String(reports));
  });
}
