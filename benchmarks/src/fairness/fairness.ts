/**
 * Fairness among applications: 150 parallel calls of one application while another calls one at a time, then a locked table
 * while several applications read posts. `pnpm benchmark:fairness [seconds a turn] [rounds] [seconds of the lock]`
 *
 * Fails if the other application's median is more than three times its idle median, if an excess call is refused without
 * seconds or gets no answer, if no call is refused, if `/readyz` is not 200 while the table is locked, or if `connections` takes
 * a second then.
 */
import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { withTemporaryDatabase } from "../../../tools/temporaryDatabase.ts";
import { readsOf } from "../reads/reads.ts";
import { environmentOn, PROGRAMS, startSide } from "../reads/sides.ts";
import type { Check } from "../results/checks.ts";
import { reportChecks } from "../results/checks.ts";
import { median } from "../results/median.ts";
import type { SeededApplication } from "./applications.ts";
import { seedApplications } from "./applications.ts";
import type { Call } from "./caller.ts";
import { Caller } from "./caller.ts";
import type { Flood, FloodResult } from "./flood.ts";

const FLOOD = fileURLToPath(new URL("./flood.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const PARALLEL = 150;
const MOST_SLOWDOWN = 3;
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

interface Parts {
  readonly address: string;
  readonly flooding: ChildProcess;
  readonly applications: readonly SeededApplication[];
  readonly seconds: number;
}

/** Idle and flooded turns alternate, because machines differ and change. */
async function floodOfCalls(parts: Parts & { readonly rounds: number }): Promise<Check[]> {
  const { address, applications, seconds, rounds } = parts;
  const [other, busy] = applications as [SeededApplication, SeededApplication];
  const checks: Check[] = [];
  for (const [name, isPatient] of [
    ["waits when refused", true],
    ["immediately repeats refused calls", false],
  ] as const) {
    const flood: Flood = {
      calls: [callOf(address, busy, "content, 50 posts")],
      parallel: PARALLEL,
      seconds,
      isPatient,
    };
    const took = new Map<string, { idle: number[]; flooded: number[] }>();
    const results: FloodResult[] = [];
    for (const read of ["content, 50 posts", "connections, 20"]) {
      const call = callOf(address, other, read);
      const times = { idle: [] as number[], flooded: [] as number[] };
      await callFor(call, 1);
      for (let round = 0; round < rounds; round += 1) {
        times.idle.push(...(await callFor(call, seconds)));
        const flooded = send(parts.flooding, flood);
        times.flooded.push(...(await callFor(call, seconds)));
        results.push(await flooded);
      }
      took.set(read, times);
    }
    const answers = total(results);
    console.log(`${PARALLEL} parallel calls of an application that ${name}: ${JSON.stringify(answers)}`);
    for (const [read, { idle, flooded }] of took) {
      const [before, during] = [median(idle), median(flooded)];
      const slowdown = during / before;
      const figures = `${before.toFixed(1)} ms idle, ${during.toFixed(1)} ms during the flood`;
      console.log(`  another application's ${read}: ${figures}, ${slowdown.toFixed(2)} times`);
      checks.push({
        name: `${read}: at most ${MOST_SLOWDOWN} times the idle median while the other ${name}`,
        isMet: slowdown <= MOST_SLOWDOWN,
      });
    }
    checks.push(
      { name: `excess calls are refused (${name})`, isMet: (answers.RATE_LIMITED ?? 0) > 0 },
      {
        name: `each refusal names seconds (${name})`,
        isMet: results.every(({ refusedWithoutSeconds }) => refusedWithoutSeconds === 0),
      },
      {
        name: `every call has its result or RATE_LIMITED (${name})`,
        isMet: Object.keys(answers).every((code) => ["done", "RATE_LIMITED"].includes(code)),
      },
    );
  }
  return checks;
}

async function lockedTable(parts: Parts & { readonly databaseUrl: string }): Promise<Check[]> {
  const { address, applications, databaseUrl, seconds } = parts;
  const [other, ...reading] = applications as [SeededApplication, ...SeededApplication[]];
  const readers = reading.slice(0, READERS);
  const locker = new pg.Client({ connectionString: databaseUrl });
  await locker.connect();
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE");
  const calls = readers.map((application) => callOf(address, application, "content, 50 posts"));
  const flooded = send(parts.flooding, { calls, parallel: PARALLEL_READS, seconds, isPatient: true });
  const caller = new Caller();
  const probed = { readiness: [] as number[], others: [] as number[], own: [] as number[] };
  const failures: Record<string, number> = {};
  const fail = (what: string) => {
    failures[what] = (failures[what] ?? 0) + 1;
  };
  const end = performance.now() + seconds * 1_000;
  const probe = async (name: "others" | "own", application: SeededApplication) => {
    const { tookMs, code } = await caller.call(callOf(address, application, "connections, 20"));
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

function callOf(address: string, application: SeededApplication, name: string): Call {
  const reads = readsOf({ ...application, jobId: "", sessionId: "" });
  const read = reads.find((one) => one.name === name);
  if (read === undefined) throw new Error(`There is no read ${name}.`);
  return { url: `${address}/graphql`, key: application.key, query: read.query, variables: read.variables };
}

/** One call at a time. */
async function callFor(call: Call, seconds: number): Promise<number[]> {
  const caller = new Caller();
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const { tookMs, code } = await caller.call(call);
    if (code !== null) throw new Error(`the other application's call failed: ${code}`);
    times.push(tookMs);
  }
  caller.close();
  return times;
}

async function send(child: ChildProcess, flood: Flood): Promise<FloodResult> {
  const answered = once(child, "message");
  child.send(flood);
  const [result] = (await answered) as [FloodResult];
  return result;
}

function total(results: readonly FloodResult[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { answers } of results)
    for (const [name, count] of Object.entries(answers)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

const [seconds = 3, rounds = 3, lockSeconds = 60] = process.argv.slice(2).map(Number);
process.exitCode = (await main(seconds, rounds, lockSeconds)) ? 0 : 1;
