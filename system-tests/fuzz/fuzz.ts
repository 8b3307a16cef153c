/**
 * Sends changed requests and random bytes to every entry point of a deployment.
 *
 *     pnpm test:system fuzz [--requests N] [--seed S] [--entry NAME] [--path P]
 *
 * `--requests` counts per entry point. A violation shrinks; its seed and path repeat it.
 */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensurePanelBuilt } from "@social-connect/panel/build";
import fc from "fast-check";
import { probe, probeOptions } from "../../packages/testkit/src/harness/probe.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { entryPoints, type Requests } from "./entryPoints.ts";
import { WRITING, type WrittenRequest } from "./httpRequest.ts";
import { judgeAnswer, SLOW_MS } from "./judge.ts";
import { type Answer, send } from "./send.ts";
import { openWorld } from "./world.ts";

const WARM_UP = 50;
const CONCURRENCY = 8;
/** A request that was slow or unanswered in the crowd is judged by these tries without one. */
const ATTEMPTS_WITHOUT_LOAD = 3;
const SHRINK_MS = 30_000;
const MEGABYTE = 1_048_576;
/** Caches are bounded, and take some of this when they are full. */
const MOST_GROWTH_BYTES = 40 * MEGABYTE;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    entry: { type: "string" },
    path: { type: "string" },
  },
});

console.log(`Seed ${values.seed}.`);
await using deployment = await startDeployment({
  settings: { PANEL_DIR: await ensurePanelBuilt(), NODE_OPTIONS: probeOptions().join(" ") },
});
const world = await openWorld(deployment);
const { program } = deployment.api;
const heapBytes = async () => (await probe(program.child.pid ?? Number.NaN)).heapBytes;
const all = Object.entries<Requests>(entryPoints(world));
const chosen = all.filter(([name]) => values.entry === undefined || name === values.entry);
if (chosen.length === 0) throw new Error(`--entry is one of ${all.map(([name]) => name).join(", ")}`);
const violations: object[] = [];
function report(problem: string, more: object = {}): void {
  console.error(problem);
  violations.push({ problem, ...more });
}

for (const [name, requests] of chosen) await fuzz(name, requests, WARM_UP, `warm-up ${values.seed}`);
const before = await heapBytes();
for (const [name, requests] of chosen) {
  const statuses = await fuzz(name, requests, Number(values.requests), values.seed, values.path);
  const heap = await heapBytes();
  console.log(`${name}: statuses ${statuses}, heap ${Math.round(heap / MEGABYTE)} MB`);
  if (heap - before > MOST_GROWTH_BYTES) report(`The heap grew from ${before} to ${heap} bytes by ${name}.`);
}
// The last log lines may arrive after the response.
for (const problem of findComplaints()) report(problem);
if (violations.length === 0) console.log(`No violation. Seed ${values.seed}.`);
else {
  const file = join(tmpdir(), `social-connect-fuzz-${createHash("sha256").update(values.seed).digest("hex")}.json`);
  await writeFile(file, JSON.stringify(violations, null, 2), { mode: 0o600 });
  console.error(`${violations.length} violations; the requests are in ${file}. Seed ${values.seed}.`);
}
await deployment[Symbol.asyncDispose]();
process.exit(violations.length === 0 ? 0 : 1);

/** Sends about so many requests to an entry point, and shrinks those of a violation. Gives the statuses of the answers. */
async function fuzz(entry: string, requests: Requests, count: number, seed: string, path?: string): Promise<string> {
  const statuses = new Map<string, number>();
  const batch = fc.array(fc.tuple(requests, WRITING), { minLength: 1, maxLength: CONCURRENCY, size: "max" });
  let sent = 0;
  let endMs = Number.POSITIVE_INFINITY;
  let failed: object | undefined;
  const property = fc.asyncProperty(batch, async (made) => {
    if (performance.now() > endMs || (failed === undefined && path === undefined && sent >= count)) return;
    const written = await Promise.all(made.map(async ([make, write]) => write(await make(), world.host)));
    sent += written.length;
    const answers = await Promise.all(written.map((request) => send(world.port, request)));
    const problems: string[] = [];
    for (const [index, request] of written.entries()) {
      const answer = answers[index] as Answer;
      const status = String(answer.status ?? "closed");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      problems.push(...judgeAnswer(entry, request, answer, world.secrets).filter((one) => one !== "no answer"));
      if (isBad(answer, request)) problems.push(...(await judgeAlone(request)));
    }
    problems.push(...findComplaints());
    if (problems.length === 0) return;
    endMs = Math.min(endMs, performance.now() + SHRINK_MS);
    failed = {
      requests: written.map(({ bytes }) => bytes.toString("base64")),
      answers: answers.map(({ text }) => text),
    };
    throw new Error(problems.join("\n"));
  });
  const hashed = createHash("sha256").update(seed).digest().readInt32LE();
  const run = await fc.check(property, { seed: hashed, numRuns: count, ...(path !== undefined && { path }) });
  if (run.failed) {
    const again = `--seed ${seed} --entry ${entry} --path ${run.counterexamplePath}`;
    report(`${entry}: ${run.errorInstance}\nAgain: ${again}`, failed);
  }
  return [...statuses].map(([status, times]) => `${status}×${times}`).join(" ");
}

/** Repeats what was slow or unanswered when nothing else is sent: on a busy machine others may have been the reason. */
async function judgeAlone(request: WrittenRequest): Promise<string[]> {
  let answer = await send(world.port, request);
  for (let tries = 1; tries < ATTEMPTS_WITHOUT_LOAD && isBad(answer, request); tries += 1)
    answer = await send(world.port, request);
  if (!isBad(answer, request)) return [];
  return [answer.elapsedMs > SLOW_MS ? `took ${Math.round(answer.elapsedMs)} ms without other load` : "no answer"];
}

function isBad({ status, elapsedMs }: Answer, { isWellFormed }: WrittenRequest): boolean {
  return elapsedMs > SLOW_MS || (isWellFormed && status === null);
}

/** Errors in the logs since the last call, what a process wrote beside its log, such as a warning of Node, and its end. */
function findComplaints(): string[] {
  const complaints = deployment.processes.flatMap(({ lines, warnings }: ServiceProcess) => {
    const errors = lines.splice(0).filter(({ level }) => level !== "warn" && level !== "info" && level !== "debug");
    return [...errors.map((line) => JSON.stringify(line)), ...warnings.splice(0)];
  });
  const ended = program.hasEnded() ? ["The API's process ended."] : [];
  return [...complaints.map((line) => `log: ${line.slice(0, 4_000)}`), ...ended];
}
