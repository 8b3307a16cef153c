import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readsOf } from "../reads/reads.ts";
import type { Check } from "../results/checks.ts";
import { median } from "../results/median.ts";
import type { SeededApplication } from "./applications.ts";
import { type Call, Caller } from "./caller.ts";
import type { Flood, FloodResult } from "./flood.ts";

export interface Parts {
  readonly address: string;
  readonly flooding: ChildProcess;
  readonly applications: readonly SeededApplication[];
  readonly seconds: number;
}

interface Kind {
  /** Completes "an application that". */
  readonly name: string;
  /** A flood sends as many of each at the same time. */
  readonly calls: (address: string, application: SeededApplication) => readonly Call[];
  /** The caller waits for retryAfterSeconds when refused. */
  readonly isPatient?: boolean;
  /** Calls can succeed, and excess calls are refused. Else each ends with this code, or is refused. */
  readonly endsWith: "done" | "BAD_USER_INPUT" | "UNAUTHENTICATED";
}

const PARALLEL = 150;
const MOST_SLOWDOWN = 3;

const SEVERAL_FIELDS = `query($scope: SubjectScope!, $id: ID!) {
  first: connections(scope: $scope) { items { id status } }
  connection(scope: $scope, id: $id) { id status syncStatus }
  second: connections(scope: $scope) { items { id profile { displayName } } } }`;
const REFRESH = `mutation($scope: SubjectScope!, $id: ID!) {
  requestRefresh(scope: $scope, connectionId: $id) { id status } }`;
const TOO_MANY = "query($scope: SubjectScope!) { connections(scope: $scope, first: 1000) { items { id } } }";

const KINDS: readonly Kind[] = [
  {
    name: "waits when refused",
    calls: (address, application) => [readOf(address, application, "content, 50 posts")],
    isPatient: true,
    endsWith: "done",
  },
  {
    name: "immediately repeats refused calls",
    calls: (address, application) => [readOf(address, application, "content, 50 posts")],
    endsWith: "done",
  },
  {
    name: "sends mutations and queries",
    calls: (address, application) => [
      readOf(address, application, "content, 50 posts"),
      callOf(address, application, SEVERAL_FIELDS),
      callOf(address, application, REFRESH),
    ],
    endsWith: "done",
  },
  {
    name: "sends invalid documents",
    calls: (address, application) => [callOf(address, application, "{ unknown { id } }")],
    endsWith: "BAD_USER_INPUT",
  },
  {
    name: "sends invalid arguments",
    calls: (address, application) => [callOf(address, application, TOO_MANY)],
    endsWith: "BAD_USER_INPUT",
  },
  {
    name: "sends a wrong key",
    calls: (address, application) => {
      const key = `${application.key.split(".")[0]}.${"0".repeat(64)}`;
      return [{ ...readOf(address, application, "content, 50 posts"), key }];
    },
    endsWith: "UNAUTHENTICATED",
  },
];

/** Floods of each kind. */
export async function floodOfCalls(parts: Parts & { readonly rounds: number }): Promise<Check[]> {
  const checks: Check[] = [];
  for (const kind of KINDS) checks.push(...(await floodOfKind(kind, parts)));
  return checks;
}

/** Idle and flooded turns alternate, because machines differ and change. */
async function floodOfKind(
  { name, calls, isPatient = false, endsWith }: Kind,
  { address, applications, flooding, seconds, rounds }: Parts & { readonly rounds: number },
): Promise<Check[]> {
  const [other, busy] = applications as [SeededApplication, SeededApplication];
  const sent = calls(address, busy);
  const flood: Flood = { calls: sent, parallel: PARALLEL / sent.length, seconds, isPatient };
  const took = new Map<string, { idle: number[]; flooded: number[] }>();
  const results: FloodResult[] = [];
  for (const read of ["content, 50 posts", "connections, 20"]) {
    const call = readOf(address, other, read);
    const times = { idle: [] as number[], flooded: [] as number[] };
    await callFor(call, 1);
    for (let round = 0; round < rounds; round += 1) {
      times.idle.push(...(await callFor(call, seconds)));
      const flooded = send(flooding, flood);
      times.flooded.push(...(await callFor(call, seconds)));
      results.push(await flooded);
    }
    took.set(read, times);
  }
  const answers = total(results);
  console.log(`${PARALLEL} parallel calls of an application that ${name}: ${JSON.stringify(answers)}`);
  const checks: Check[] = [];
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
  if (endsWith === "done")
    checks.push({ name: `excess calls are refused (${name})`, isMet: (answers.RATE_LIMITED ?? 0) > 0 });
  checks.push(
    {
      name: `each refusal names seconds (${name})`,
      isMet: results.every(({ refusedWithoutSeconds }) => refusedWithoutSeconds === 0),
    },
    {
      name: `every call has its result or RATE_LIMITED (${name})`,
      isMet: Object.keys(answers).every((code) => [endsWith, "RATE_LIMITED"].includes(code)),
    },
  );
  return checks;
}

export function readOf(address: string, application: SeededApplication, name: string): Call {
  const reads = readsOf({ ...application, jobId: "", sessionId: "" });
  const read = reads.find((one) => one.name === name);
  if (read === undefined) throw new Error(`There is no read ${name}.`);
  return { url: `${address}/graphql`, key: application.key, query: read.query, variables: read.variables };
}

function callOf(address: string, { key, scope, connectionId }: SeededApplication, query: string): Call {
  return { url: `${address}/graphql`, key, query, variables: { scope, id: connectionId } };
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

export async function send(child: ChildProcess, flood: Flood): Promise<FloodResult> {
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
