/**
 * Compares the hot reads of the consumer API with hand-written ones, alternating in one run, because machines differ and
 * change. Exits with 1 if a bound is missed; see `HELP`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { withTemporaryDatabase } from "../../../packages/testkit/src/harness/temporaryDatabase.ts";
import { describeMachine } from "./machine.ts";
import { installOthers } from "./others/packages.ts";
import { measureProcess } from "./process.ts";
import { BOUNDS_BESIDE_BUSY, type Read, readsOf } from "./reads.ts";
import { heading, line, missedBounds, type Row } from "./report.ts";
import { seed } from "./seed.ts";
import {
  environmentOn,
  PROGRAMS,
  requestOf,
  type Side,
  type SideName,
  sendRequests,
  startSide,
  type Turn,
  takeTurn,
} from "./sides.ts";

const HELP = `pnpm benchmark [options]
  --seconds N   seconds a turn (2)
  --rounds N    turns of each server (5)
  --read NAME   only this read; repeatable
  --busy N      beside N processes that are always busy (0); each read must be as fast as PostGraphile's
  --others      also PostGraphile 5 and Apollo Server 5 with Prisma, which are installed on first use
  --process     only the start of built processes, their idle memory, and memory over 200,000 requests`;

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly reads: readonly string[];
  readonly others: boolean;
  readonly busy: number;
  readonly process: boolean;
}

async function main({ seconds, rounds, reads, others, busy, process: withProcess }: Options): Promise<boolean> {
  if (others) await installOthers();
  console.log(describeMachine());
  return withTemporaryDatabase(async (database) => {
    const environment = environmentOn(database.url("postgres"));
    const busyProcesses: ChildProcess[] = [];
    const sides = new Map<SideName, Side>([["service", await startSide(PROGRAMS.service, environment)]]);
    try {
      const seeded = await seed(environment.DATABASE_URL);
      if (withProcess) return reportMissed(await measureProcess(environment, seeded));
      for (const name of others ? (["limit", "postgraphile", "apollo"] as const) : (["limit"] as const))
        sides.set(name, await startSide(PROGRAMS[name], environment));
      console.log(heading([...sides.keys()]));
      const missed: string[] = [];
      for (let count = 0; count < busy; count += 1) busyProcesses.push(spawn(process.execPath, ["-e", "for (;;);"]));
      for (const read of readsOf(seeded).filter(({ name }) => reads.length === 0 || reads.includes(name))) {
        const measured = busy === 0 ? read : { ...read, bounds: BOUNDS_BESIDE_BUSY };
        const row = await alternate(sides, measured, { key: seeded.key, seconds, rounds });
        console.log(line(row));
        missed.push(...missedBounds(row));
      }
      return reportMissed(missed);
    } finally {
      for (const child of busyProcesses) child.kill();
      await Promise.all([...sides.values()].map((side) => side.stop()));
    }
  });
}

function reportMissed(missed: readonly string[]): boolean {
  for (const bound of missed) console.log(`Missed: ${bound}`);
  return missed.length === 0;
}

const WARM_UP_REQUESTS = 30_000;

/** Each server answers the read in turns. */
async function alternate(
  sides: ReadonlyMap<SideName, Side>,
  read: Read,
  { key, seconds, rounds }: { readonly key: string; readonly seconds: number; readonly rounds: number },
): Promise<Row> {
  const turns: Record<"service", Turn[]> & Partial<Record<SideName, Turn[]>> = { service: [] };
  // Until V8 has optimized the functions of a request, the last of them after 30,000: by number, because machines differ.
  for (const [name, side] of sides) await sendRequests(side, requestOf(name, read), key, WARM_UP_REQUESTS);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, side] of sides) {
      turns[name] ??= [];
      turns[name].push(await takeTurn(side, requestOf(name, read), key, seconds));
    }
  }
  return { read, turns };
}

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    read: { type: "string", multiple: true, default: [] },
    busy: { type: "string", default: "0" },
    others: { type: "boolean", default: false },
    process: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const { read, others } = values;
  const numbers = { seconds: Number(values.seconds), rounds: Number(values.rounds), busy: Number(values.busy) };
  const isMet = await main({ ...numbers, reads: read, others, process: values.process });
  process.exitCode = isMet ? 0 : 1;
}
