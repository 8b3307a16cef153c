/**
 * Sends mutated requests and random bytes to every entry point of a deployment. Violations are: a status of
 * 500 or more, no response, internals or a secret in a response, a response that takes more than a second even when it
 * is sent again without other load, an error in the log, a process that exits, and memory that does not stay level.
 *
 *     pnpm test:system fuzz [--requests N] [--seed S] [--entry NAME] [--index I]
 *
 * `--requests` counts per entry point. A seed and an index repeat one request; values issued during a run, such as a
 * launch token, differ.
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensurePanelBuilt } from "@social-connect/panel/build";
import { probe, probeOptions } from "../../packages/testkit/src/harness/probe.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { ENTRY_POINTS } from "./entryPoints.ts";
import { Run } from "./run.ts";
import { openWorld } from "./world.ts";

const WARM_UP = 50;
const MEGABYTE = 1_048_576;
/** Caches are bounded, and take some of this when they are full. */
const MOST_GROWTH_BYTES = 40 * MEGABYTE;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    entry: { type: "string" },
    index: { type: "string" },
  },
});
const { seed, entry, index } = values;
const requests = Number(values.requests);
const entryPoints = ENTRY_POINTS.filter(({ name }) => entry === undefined || name === entry);
if (!Number.isSafeInteger(requests) || requests < 1 || entryPoints.length === 0) {
  const names = ENTRY_POINTS.map(({ name }) => name).join(", ");
  console.error("`--requests` must be a whole number, and `--entry` one of:", names);
  process.exit(2);
}

async function main(): Promise<number> {
  const settings = { PANEL_DIR: await ensurePanelBuilt(), NODE_OPTIONS: probeOptions().join(" ") };
  await using deployment = await startDeployment({ settings });
  const world = await openWorld(deployment);
  const heapBytes = async () => (await probe(deployment.api.program.child.pid ?? Number.NaN)).heapBytes;
  const run = new Run(world, deployment, seed);
  for (const entryPoint of entryPoints) await run.send(entryPoint, Math.min(WARM_UP, requests), "warm-up:");
  run.takeStatuses();
  const before = await heapBytes();
  for (const entryPoint of entryPoints) {
    if (index === undefined) await run.send(entryPoint, requests, "");
    else await run.sendOne(entryPoint, index);
    const heap = await heapBytes();
    console.log(`${entryPoint.name}: statuses ${run.takeStatuses()}, heap ${Math.round(heap / MEGABYTE)} MB`);
    if (heap - before > MOST_GROWTH_BYTES)
      run.report(`The heap grew from ${before} to ${heap} bytes by ${entryPoint.name}.`);
  }
  run.finish();
  const { violations } = run;
  if (violations.length === 0) {
    console.log(`No violation. Seed ${seed}.`);
    return 0;
  }
  const file = join(tmpdir(), `social-connect-fuzz-${seed}.json`);
  await writeFile(file, JSON.stringify({ seed, violations }, null, 2), { mode: 0o600 });
  console.error(`${violations.length} violations; the requests are in ${file}. Seed ${seed}.`);
  return 1;
}

console.log(`Seed ${seed}.`);
process.exitCode = await main();
process.exit();
