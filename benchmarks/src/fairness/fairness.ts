/**
 * Fairness among applications: 150 parallel calls of one application, of several kinds, while another calls one at a time, then a locked table
 * while several applications read posts. `pnpm benchmark fairness [seconds a turn] [rounds] [seconds of the lock]`
 *
 * Fails if the other application's median is more than three times its idle median, if an excess call is refused without
 * seconds or gets no answer, if no call is refused, if `/readyz` is not 200 or takes a second while the table is locked, or if a read
 * then ends with another code than UPSTREAM_UNAVAILABLE or RATE_LIMITED, or without one.
 */
import { fork } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { withTemporaryDatabase } from "../../../packages/testkit/src/harness/temporaryDatabase.ts";
import { environmentOn, PROGRAMS, startSide } from "../reads/sides.ts";
import { type Check, reportChecks } from "../results/checks.ts";
import { median } from "../results/median.ts";
import { seedApplications } from "./applications.ts";
import { Caller } from "./caller.ts";
import { floodOfCalls, type Parts, readOf, send } from "./floods.ts";

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
      const applications = await seedApplications(databaseUrl, READERS);
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
  const locker = new pg.Client({ connectionString: databaseUrl });
  await locker.connect();
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE");
  const calls = applications.slice(0, READERS).map((application) => readOf(address, application, "content, 50 posts"));
  const flooded = send(parts.flooding, { calls, parallel: PARALLEL_READS, seconds, isPatient: true });
  const caller = new Caller();
  const readiness: number[] = [];
  let failures = 0;
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const { status, tookMs } = await caller.status(`${address}/readyz`);
    readiness.push(tookMs);
    if (status !== 200) failures += 1;
    await setTimeout(PROBE_EVERY_MS);
  }
  caller.close();
  // The reads end before the lock does.
  const { answers } = await flooded;
  await locker.query("ROLLBACK");
  await locker.end();
  const most = Math.max(...readiness);
  console.log(`content_item locked for ${seconds} s, reads of posts: ${JSON.stringify(answers)}`);
  console.log(
    `  readiness: ${readiness.length} calls, median ${median(readiness).toFixed(1)} ms, at most ${most.toFixed(0)} ms`,
  );
  return [
    { name: "readiness succeeds while content_item is locked", isMet: failures === 0 },
    { name: "readiness answers within a second", isMet: most < MOST_MS },
    {
      name: "each read of posts ends with UPSTREAM_UNAVAILABLE or RATE_LIMITED",
      isMet: Object.keys(answers).every((code) => ["UPSTREAM_UNAVAILABLE", "RATE_LIMITED"].includes(code)),
    },
  ];
}

const [seconds = 3, rounds = 3, lockSeconds = 60] = process.argv.slice(2).map(Number);
process.exitCode = (await main(seconds, rounds, lockSeconds)) ? 0 : 1;
