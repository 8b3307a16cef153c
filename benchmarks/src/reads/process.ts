import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "../results/median.ts";
import { cpuMsOf, memoryOf } from "./cpu.ts";
import { readsOf } from "./reads.ts";
import type { Seeded } from "./seed.ts";
import { type environmentOn, requestOf, type Side, sendRequests, startSide } from "./sides.ts";

/** The published program, because loading 500 files of source takes longer and more memory. */
const PROGRAM = fileURLToPath(new URL("../../../apps/server/dist/cli.js", import.meta.url));
const ROLES = ["api", "worker"] as const;
const START_MS = 2_000;
const STARTS = 3;
const IDLE_MB = 160;
/** The process collects garbage ten seconds after its start. */
const IDLE_AFTER_MS = 30_000;
const REQUESTS = 200_000;
/** The heap grows to its working size in the first quarter, and must stay level after it. */
const GROWTH = 1.1;

type Environment = ReturnType<typeof environmentOn>;

/** Measures fresh processes on a database that is already migrated. Returns the bounds that they missed. */
export async function measureProcess(environment: Environment, seeded: Seeded): Promise<string[]> {
  if (!existsSync(PROGRAM)) throw new Error("Run `pnpm exec turbo run build --filter=@social-connect/server` first.");
  const missed: string[] = [];
  console.log(
    `\n| process | start (at most ${START_MS} ms) | its CPU | idle memory (at most ${IDLE_MB} MB) |\n| --- | --: | --: | --: |`,
  );
  for (const role of ROLES) {
    const { startMs, cpuMs, idleMb } = await measureRole(role, environment);
    console.log(`| ${role} | ${Math.round(startMs)} ms | ${Math.round(cpuMs)} ms | ${Math.round(idleMb)} MB |`);
    // Not `>`, which is false if a number is NaN.
    if (!(startMs <= START_MS)) missed.push(`${role}: start in ${Math.round(startMs)} ms, at most ${START_MS}`);
    if (!(idleMb <= IDLE_MB)) missed.push(`${role}: idle memory ${Math.round(idleMb)} MB, at most ${IDLE_MB}`);
  }
  const memory = await withProcess("api", environment, (side) => memoryUnderLoad(side, seeded));
  const [early = Number.NaN] = memory;
  const latest = memory.at(-1) ?? Number.NaN;
  const quarters = memory.map((megabytes) => Math.round(megabytes)).join(", ");
  console.log(
    `Memory after each quarter of ${REQUESTS} requests: ${quarters} MB (the last at most ${GROWTH} × the first)`,
  );
  if (!(latest <= early * GROWTH)) missed.push(`memory grew from ${Math.round(early)} to ${Math.round(latest)} MB`);
  return missed;
}

/** Medians of a few starts. */
async function measureRole(role: (typeof ROLES)[number], environment: Environment) {
  const starts: { startMs: number; cpuMs: number; idleMb: number }[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const begin = performance.now();
    const measured = await withProcess(role, environment, async ({ pid }) => {
      const startMs = performance.now() - begin;
      const cpuMs = await cpuMsOf(pid);
      await setTimeout(IDLE_AFTER_MS);
      return { startMs, cpuMs, idleMb: await memoryOf(pid) };
    });
    starts.push(measured);
  }
  const of = (name: "startMs" | "cpuMs" | "idleMb") => median(starts.map((one) => one[name]));
  return { startMs: of("startMs"), cpuMs: of("cpuMs"), idleMb: of("idleMb") };
}

async function withProcess<Result>(
  role: (typeof ROLES)[number],
  environment: Environment,
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  // A worker listens at no port: the log says that it has started.
  const side = await startSide([PROGRAM, "start", "--role", role], { ...environment, LOG_LEVEL: "info" }, []);
  try {
    return await work(side);
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
