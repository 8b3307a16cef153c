import { setTimeout } from "node:timers/promises";
import { memoryOf } from "./cpu.ts";
import { readsOf } from "./reads.ts";
import type { Seeded } from "./seed.ts";
import type { environmentOn, Side } from "./sides.ts";
import { PROGRAMS, requestOf, sendRequests, startSide } from "./sides.ts";

const START_MS = 2_000;
const IDLE_MB = 160;
const REQUESTS = 200_000;
/** The heap grows to its working size in the first quarter, and must stay level after it. */
const GROWTH = 1.1;

/** Measures a fresh api process on a database that is already migrated. Returns the bounds that it missed. */
export async function measureProcess(environment: ReturnType<typeof environmentOn>, seeded: Seeded): Promise<string[]> {
  const begin = performance.now();
  const side = await startSide(PROGRAMS.service, environment);
  const startMs = performance.now() - begin;
  try {
    await setTimeout(2_000);
    const idle = await memoryOf(side.pid);
    const memory = await memoryUnderLoad(side, seeded);
    const [early = Number.NaN] = memory;
    const latest = memory.at(-1) ?? Number.NaN;
    console.log(`\nStart on an existing database: ${Math.round(startMs)} ms (at most ${START_MS})`);
    console.log(`Idle memory: ${Math.round(idle)} MB (at most ${IDLE_MB})`);
    const quarters = memory.map((megabytes) => Math.round(megabytes)).join(", ");
    console.log(
      `Memory after each quarter of ${REQUESTS} requests: ${quarters} MB (the last at most ${GROWTH} × the first)`,
    );
    return [
      ...(startMs <= START_MS ? [] : [`start in ${Math.round(startMs)} ms, at most ${START_MS}`]),
      ...(idle <= IDLE_MB ? [] : [`idle memory ${Math.round(idle)} MB, at most ${IDLE_MB}`]),
      ...(latest <= early * GROWTH ? [] : [`memory grew from ${Math.round(early)} to ${Math.round(latest)} MB`]),
    ];
  } finally {
    await side.stop();
  }
}

/** Memory after each quarter of the requests. */
async function memoryUnderLoad(side: Side, seeded: Seeded): Promise<number[]> {
  const reads = readsOf(seeded);
  const memory: number[] = [];
  for (let quarter = 0; quarter < 4; quarter += 1) {
    for (const read of reads) {
      await sendRequests(side, requestOf("service", read), seeded.key, Math.ceil(REQUESTS / 4 / reads.length));
    }
    memory.push(await memoryOf(side.pid));
  }
  return memory;
}
