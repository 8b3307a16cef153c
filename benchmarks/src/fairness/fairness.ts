/**
 * Fairness among applications: 150 parallel calls of one application, of several kinds, while another calls one at a time, then a locked table
 * while several applications read posts. `pnpm benchmark:fairness [seconds a turn] [rounds] [seconds of the lock]`
 *
 * Fails if the other application's median is more than three times its idle median, if an excess call is refused without
 * seconds or gets no answer, if no call is refused, if `/readyz` is not 200 while the table is locked, or if `connections` takes
 * a second then.
 */
import { fork } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { withTemporaryDatabase } from "../../../tools/temporaryDatabase.ts";
import { environmentOn, PROGRAMS, startSide } from "../reads/sides.ts";
import type { Check } from "../results/checks.ts";
import { reportChecks } from "../results/checks.ts";
import { median } from "../results/median.ts";
import type { SeededApplication } from "./applications.ts";
import { seedApplications } from "./applications.ts";
import { Caller } from "./caller.ts";
import type { Parts } from "./floods.ts";
import { floodOfCalls, readOf, send } from "./floods.ts";

const FLOOD = fileURLToPath(new URL("./flood.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const READERS = 4;
const PARALLEL_READS = 10;
const MOST_MS = 1_000;
const PROBE_EVERY_MS = 100;

async function main(seconds: number, rounds: number, lockSeconds: number): Promise<boolean> {
  return withTemporaryDatabase(async (database) => {
    const databaseUrl = database.url("postgres");
    const server = await startSide(PROGRAMS.service, { ...environmentOn(databaseUrl), LOG_LEVEL: "silent" });
    const { url: address } = server;
    const flooding = fork(FLOOD, { execArgv: FLAGS });
    // Elsewhere callers run on other machines: this one must not take the processor from the server that it floods.
    if (flooding.pid !== undefined) setPriority(flooding.pid, getPriority() + 5);
    try {
      const applications = await seedApplications(databaseUrl, READERS + 2);
      const checks = [
        ...(await floodOfCalls({ address, flooding, applications, seconds, rounds })),
        ...(await lockedTable({ address, flooding, applications, databaseUrl, seconds: lockSeconds })),
      ];
      return reportChecks(checks);
    } finally {
      flooding.kill();
      await server.stop();
    }
  });
}

async function lockedTable(parts: Parts & { readonly databaseUrl: string }): Promise<Check[]> {
  const { address, applications, databaseUrl, seconds } = parts;
  const [other, ...reading] = applications as [SeededApplication, ...SeededApplication[]];
  const readers = reading.slice(0, READERS);
  const locker = new pg.Client({ connectionString: databaseUrl });
  await locker.connect();
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE");
  const calls = readers.map((application) => readOf(address, application, "content, 50 posts"));
  const flooded = send(parts.flooding, { calls, parallel: PARALLEL_READS, seconds, isPatient: true });
  const caller = new Caller();
  const probed = { readiness: [] as number[], others: [] as number[], own: [] as number[] };
  const failures: Record<string, number> = {};
  const fail = (what: string) => {
    failures[what] = (failures[what] ?? 0) + 1;
  };
  const end = performance.now() + seconds * 1_000;
  const probe = async (name: "others" | "own", application: SeededApplication) => {
    const { tookMs, code } = await caller.call(readOf(address, application, "connections, 20"));
    probed[name].push(tookMs);
    if (code !== null) fail(`connections of ${name}: ${code}`);
  };
  while (performance.now() < end) {
    const ready = caller.status(`${address}/readyz`).then(({ status, tookMs }) => {
      probed.readiness.push(tookMs);
      if (status !== 200) fail(`/readyz: ${status}`);
    });
    await Promise.all([ready, probe("others", other), ...readers.map((reader) => probe("own", reader))]);
    await setTimeout(PROBE_EVERY_MS);
  }
  await locker.query("ROLLBACK");
  await locker.end();
  caller.close();
  const { answers } = await flooded;
  console.log(`content_item locked for ${seconds} s, reads of posts: ${JSON.stringify(answers)}`);
  const most = (times: readonly number[]) => Math.max(...times);
  for (const [name, times] of Object.entries(probed)) {
    console.log(
      `  ${name}: ${times.length} calls, median ${median(times).toFixed(1)} ms, at most ${most(times).toFixed(0)} ms`,
    );
  }
  if (Object.keys(failures).length > 0) console.log(`  failures: ${JSON.stringify(failures)}`);
  return [
    {
      name: "readiness and connections succeed while content_item is locked",
      isMet: Object.keys(failures).length === 0,
    },
    { name: "readiness answers within a second", isMet: most(probed.readiness) < MOST_MS },
    { name: "connections of another application answers within a second", isMet: most(probed.others) < MOST_MS },
    { name: "connections of the reading applications answers within a second", isMet: most(probed.own) < MOST_MS },
  ];
}

const [seconds = 3, rounds = 3, lockSeconds = 60] = process.argv.slice(2).map(Number);
process.exitCode = (await main(seconds, rounds, lockSeconds)) ? 0 : 1;
