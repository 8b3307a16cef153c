/**
 * Sends mutated requests and random bytes to every entry point of a complete environment. Violations are: a status of
 * 500 or more, no response, internals or a secret in a response, a response that takes more than a second even when it
 * is sent again without other load, an error in the log, a process that exits, and memory that does not stay level.
 *
 *     pnpm test:fuzz [--requests N] [--seed S] [--entry NAME] [--index I]
 *
 * `--requests` counts per entry point. A seed and an index repeat one request; values issued during a run, such as a
 * launch token, differ.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startDevProcess } from "./devProcess.ts";
import { ENTRY_POINTS } from "./entryPoints.ts";
import { Run } from "./run.ts";
import { openWorld, type World } from "./world.ts";

const DEFAULT_REQUESTS = 1_000;
const FIRST_PORT = 5_700;
const WARM_UP = 50;
const MEGABYTE = 1_048_576;
/** Caches are bounded, and take some of this when they are full. */
const MOST_GROWTH_BYTES = 40 * MEGABYTE;

const { values } = parseArgs({
  options: {
    requests: { type: "string" },
    seed: { type: "string" },
    entry: { type: "string" },
    index: { type: "string" },
  },
});
const requests = Number(values.requests ?? DEFAULT_REQUESTS);
const seed = values.seed ?? String(Date.now() % 1_000_000_000);
const entryPoints = ENTRY_POINTS.filter(({ name }) => values.entry === undefined || name === values.entry);
if (!Number.isSafeInteger(requests) || requests < 1 || entryPoints.length === 0) {
  console.error(
    "`--requests` must be a whole number, and `--entry` one of:",
    ENTRY_POINTS.map(({ name }) => name).join(", "),
  );
  process.exit(2);
}

async function main(): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-fuzz-"));
  const setup = await startDevProcess(dataFolder, FIRST_PORT);
  let world: World | undefined;
  try {
    world = await openWorld(dataFolder, setup.dev);
    const run = new Run(world, setup, seed);
    for (const entryPoint of entryPoints) await run.send(entryPoint, Math.min(WARM_UP, requests), "warm-up");
    const before = await setup.heapBytes();
    const [only] = values.index === undefined ? [] : [Number(values.index)];
    for (const entryPoint of entryPoints) {
      const sent = await (only === undefined
        ? run.send(entryPoint, requests, "")
        : run.sendOne(entryPoint, only).then(() => 1));
      const heap = await setup.heapBytes();
      console.log(
        `${entryPoint.name}: ${sent} requests, statuses ${run.statusesOf(entryPoint)}, heap ${Math.round(heap / MEGABYTE)} MB`,
      );
      if (heap - before > MOST_GROWTH_BYTES) {
        run.report(`The heap grew from ${before} to ${heap} bytes by ${entryPoint.name}.`);
      }
    }
    await run.finish();
    return await conclude(run.violations);
  } finally {
    // Before its database ends.
    await world?.close();
    await setup.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function conclude(violations: readonly object[]): Promise<number> {
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
