import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "../../benchmarks/src/results/report.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { bytesOf, ENTRY_POINTS, type EntryPoint } from "./entryPoints.ts";
import type { LeavingCallers } from "./leavingCallers.ts";

const PROGRAM = fileURLToPath(new URL("./leavingCallers.ts", import.meta.url));
const CONNECTIONS = 400;
const PIPELINED = 8;
const MOST_SLOWDOWN = 3;
const MOST_LINES = 60;
const IDLE_WITHIN_MS = 2_000;
const PROBE_EVERY_MS = 250;
const PROBE_TIMEOUT_MS = 2_000;

/** Where callers leave, and who must not notice. */
export interface LeavingPlan {
  readonly name: string;
  readonly target: Pick<LeavingCallers, "port" | "tlsName">;
  readonly host: string;
  readonly apis: readonly ServiceProcess[];
  readonly seconds: number;
  /** Calls as another caller for some seconds: the time of each call, and what went wrong. */
  readonly callFor: (seconds: number) => Promise<{ readonly times: number[]; readonly failures: string[] }>;
  /** Statements that the api processes run now. */
  readonly countStatements: () => Promise<number>;
}

/** All entry points concurrently, then each separately, with pipelined requests too. */
export async function checkLeaving(plan: LeavingPlan, idleMs: number): Promise<string[]> {
  const { host } = plan;
  const bytes = (entry: EntryPoint) => bytesOf(entry, host);
  const all: readonly (readonly [string, readonly string[]])[] = [
    ["all entry points", ENTRY_POINTS.map(bytes)],
    ...ENTRY_POINTS.map((entry) => [entry.name, [bytes(entry).repeat(PIPELINED), bytes(entry)]] as const),
  ];
  const problems: string[] = [];
  for (const [name, requests] of all) problems.push(...(await flood(plan, name, requests, idleMs)));
  return problems;
}

async function flood(
  { name: where, target, apis, seconds, callFor, countStatements }: LeavingPlan,
  what: string,
  requests: readonly string[],
  idleMs: number,
): Promise<string[]> {
  using leaving = fork(PROGRAM, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  // Elsewhere callers run on other machines: this one must not take the processor from what it floods.
  if (leaving.pid !== undefined) setPriority(leaving.pid, getPriority() + 5);
  const linesBefore = countLines(apis);
  leaving.send({ ...target, connections: CONNECTIONS, requests } satisfies LeavingCallers);
  const probing = new AbortController();
  const probed = probe(apis, probing.signal);
  const { times, failures } = await callFor(seconds);
  probing.abort();
  const unready = await probed;
  const reported = once(leaving, "message");
  leaving.send("stop");
  const [sent] = (await reported) as [number];
  const isIdle = await becomesIdle(countStatements);
  const lines = countLines(apis) - linesBefore;
  /** The messages of the last lines of each process. */
  const last = new Set(apis.flatMap((api) => api.lines.slice(-lines).map(({ msg }) => msg)));
  const p50 = median(times);
  console.log(
    `${where}, ${what}: ${sent} left; others: ${p50.toFixed(1)} ms (${(p50 / idleMs).toFixed(2)} times idle), ` +
      `${times.length} calls, ${failures.length} failed; ${unready.length} probes failed; ${lines} log lines`,
  );
  return [
    ...new Set([...failures, ...unready]),
    ...(p50 <= MOST_SLOWDOWN * idleMs ? [] : [`others take ${(p50 / idleMs).toFixed(1)} times their idle median`]),
    ...(sent >= CONNECTIONS ? [] : [`only ${sent} requests were sent`]),
    ...(lines <= MOST_LINES ? [] : [`${lines} log lines: ${[...last].join(", ")}`]),
    ...(isIdle ? [] : ["the database is busy two seconds after the end"]),
  ].map((problem) => `${where}, ${what}: ${problem}`);
}

/** Asks both ports of each process. */
async function probe(apis: readonly ServiceProcess[], signal: AbortSignal): Promise<string[]> {
  const failures: string[] = [];
  const addresses = apis.flatMap(({ port, operations }) => [
    `http://127.0.0.1:${port}/healthz`,
    `http://127.0.0.1:${port}/readyz`,
    `${operations}/readyz`,
  ]);
  while (!signal.aborted) {
    await Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(address, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() => null);
        await response?.body?.cancel();
        if (response?.status !== 200) failures.push(`${new URL(address).pathname} answered ${response?.status}`);
      }),
    );
    await setTimeout(PROBE_EVERY_MS);
  }
  return failures;
}

function becomesIdle(countStatements: () => Promise<number>): Promise<boolean> {
  const isIdle = async () => {
    if ((await countStatements()) > 0) throw new Error("The database is busy.");
    return true;
  };
  return eventually(isIdle, IDLE_WITHIN_MS).catch(() => false);
}

function countLines(apis: readonly ServiceProcess[]): number {
  return apis.reduce((sum, { lines }) => sum + lines.length, 0);
}
