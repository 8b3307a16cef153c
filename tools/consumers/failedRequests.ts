import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { launchBrowser } from "../../packages/testkit/src/index.ts";
import { run } from "../packages/commands.ts";
import { runInWorker } from "./bundled.ts";
import { type FailingServers, startFailingServers } from "./failingServers.ts";
import {
  consequenceOf,
  expectedOutcome,
  type Outcome,
  type Protocol,
  type RuntimeName,
  SITUATIONS,
} from "./failureTable.ts";
import { entryOf, type Runtime } from "./toolchain.ts";
import type { FailureCase, FailureReport } from "./uses/failedRequests.ts";

/** A value with the format of a key. */
export const KEY = `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`;
const PROGRAM = fileURLToPath(new URL("./uses/failedRequests.ts", import.meta.url));
const MOST_REQUESTS = 3;

/** Runs the cases in one runtime. */
type RunCases = (cases: readonly FailureCase[], protocol: Protocol) => Promise<readonly FailureReport[]>;

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

/** In each runtime, each failure of real servers is what the table says: its error, its retries and whether it may have been sent. */
export async function proveFailedRequests(
  place: string,
  runtimes: readonly (Runtime & { readonly parameters?: readonly string[] })[],
): Promise<void> {
  const folder = join(place, "failed-requests");
  await writePrograms(folder);
  const servers = await startFailingServers(join(folder, "certificates"));
  const wrong: string[] = [];
  const prove = async (name: RuntimeName, runCases: RunCases) => {
    for (const protocol of ["http1", "http2"] as const) {
      const cases = casesFor(name, protocol, servers);
      if (cases.length > 0) wrong.push(...differences(name, protocol, await runCases(cases, protocol)));
    }
  };
  try {
    for (const runtime of runtimes) await prove(nameOf(runtime), inProgram(folder, runtime, servers));
    await prove("workerd", async (cases) => {
      const url = `${servers.http1}?cases=${encodeURIComponent(JSON.stringify(cases))}`;
      return JSON.parse(await runInWorker(join(folder, "worker.ts"), url));
    });
    await proveInChromium(folder, servers, (runCases) => prove("Chromium", runCases));
  } finally {
    await servers.close();
  }
  if (wrong.length > 0) throw new Error(`failed requests:\n${wrong.join("\n")}`);
  console.log("  failed requests: each of the table's errors, retries and protocols, in every runtime");
}

function nameOf({ name }: Runtime): RuntimeName {
  return ({ bun: "Bun", deno: "Deno" } as const)[name] ?? (name as RuntimeName);
}

function inProgram(
  folder: string,
  { name, program, parameters = [] }: Runtime & { readonly parameters?: readonly string[] },
  { authority }: FailingServers,
): RunCases {
  const environment = { NODE_EXTRA_CA_CERTS: authority, DENO_CERT: authority };
  return async (cases, protocol) => {
    const undici = protocol === "http2" && name.startsWith("Node") ? [undiciEntry()] : [];
    const values = [join(folder, "main.js"), JSON.stringify(cases), ...undici];
    return JSON.parse(await run(program, [...parameters, ...values], { folder, environment }));
  };
}

/** The version that miniflare has: Node contains undici, without a way to ask its own copy for HTTP/2. */
function undiciEntry(): string {
  return createRequire(entryOf("miniflare")).resolve("undici");
}

async function writePrograms(folder: string): Promise<void> {
  const { code } = await transform(await readFile(PROGRAM, "utf8"), { loader: "ts" });
  const program = `import process from "node:process";
import * as sdk from "@social-connect/sdk";
import { failAt } from "./failedRequests.js";
const [cases, undici] = process.argv.slice(2);
let send;
if (undici !== undefined) {
  const { default: library } = await import(undici);
  const dispatcher = new library.Agent({ allowH2: true });
  send = (url, init) => library.fetch(url, { ...init, dispatcher });
}
console.log(JSON.stringify(await failAt(sdk, JSON.parse(cases), "${KEY}", send)));
process.exit(0);
`;
  const worker = `import * as sdk from "@social-connect/sdk";
import { failAt } from "./failedRequests.js";
const casesIn = (url) => JSON.parse(new URL(new URL(url).searchParams.get("service")).searchParams.get("cases"));
export default { fetch: async ({ url }) => Response.json(await failAt(sdk, casesIn(url), "${KEY}")) };
`;
  const page = `import * as sdk from "@social-connect/sdk";
import { failAt } from "./failedRequests.js";
globalThis.failAt = (cases) => failAt(sdk, cases, "${KEY}");
`;
  const files = {
    "package.json": '{"type":"module"}',
    "failedRequests.js": code,
    "main.js": program,
    "worker.ts": worker,
    "page.js": page,
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** The SDK refuses to run in a page. Here it does not, because Chromium reports the same to the panel and to other clients. */
async function proveInChromium(folder: string, servers: FailingServers, prove: (run: RunCases) => Promise<void>) {
  const guard = "if (isBrowser(scope))";
  let guards = 0;
  const { outputFiles } = await build({
    entryPoints: [join(folder, "page.js")],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    logLevel: "error",
    plugins: [
      {
        name: "no guard",
        setup: ({ onLoad }) => {
          onLoad({ filter: /\/sdk\/dist\/.*\.js$/ }, async ({ path }) => {
            const text = await readFile(path, "utf8");
            guards += text.split(guard).length - 1;
            return { contents: text.replaceAll(guard, "if (false)") };
          });
        },
      },
    ],
  });
  if (guards === 0) throw new Error("the guard against browsers was not found in the build of the SDK");
  const browser = await launchBrowser();
  try {
    await prove(async (cases, protocol) => {
      const context = await browser.newContext({ ignoreHTTPSErrors: protocol === "http2" });
      try {
        const page = await context.newPage();
        await page.goto(`${servers[protocol]}/page`);
        await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
        const text = await page.evaluate(`failAt(${JSON.stringify(cases)}).then(JSON.stringify)`);
        return JSON.parse(String(text));
      } finally {
        await context.close();
      }
    });
  } finally {
    await browser.close();
  }
}
