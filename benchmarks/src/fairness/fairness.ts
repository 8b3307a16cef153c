/**
 * What callers can do to each other. `pnpm benchmark fairness [seconds of a turn] [rounds]`
 *
 * 1. 150 parallel calls of one application, of several kinds, while another calls one at a time.
 * 2. CPU time of expensive requests without a key, with a malformed and with a wrong one, against a plain refused call.
 * 3. Connect pages while 300 connections request unknown pages, from the same and from another network.
 *
 * Fails if another's median is more than three times its idle median, if an excess call is refused without seconds or not answered, or if
 * a request without a key costs more than twice a plain one.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { startDeployment } from "../../../system-tests/deployment/deployment.ts";
import { graphql, type Load, runWithoutErrors, type Sent } from "../load/load.ts";
import { readsOf } from "../reads/queries.ts";
import { type Seeded, seed } from "../reads/seed.ts";
import { type Check, describeMachine, median, printHead, printRow, reportChecks } from "../results/report.ts";
import type { FloodResult } from "./flood.ts";
import { floodOfPages } from "./pages.ts";
import { costsOfRefusals } from "./refusals.ts";

const FLOOD = fileURLToPath(new URL("./flood.ts", import.meta.url));
const PARALLEL = 150;
const MOST_SLOWDOWN = 3;
/** Until V8 has optimized the functions of a request. */
const WARM_UP_REQUESTS = 10_000;
const READS = ["content, 50 posts", "connections, 20"];

const SEVERAL_FIELDS = `query($scope: SubjectScope!, $id: ID!) {
  first: connections(scope: $scope) { items { id status } }
  connection(scope: $scope, id: $id) { id status syncStatus }
  second: connections(scope: $scope) { items { id profile { displayName } } } }`;
const REFRESH = `mutation($scope: SubjectScope!, $id: ID!) {
  requestRefresh(scope: $scope, connectionId: $id) { id status } }`;
const TOO_MANY = "query($scope: SubjectScope!) { connections(scope: $scope, first: 1000) { items { id } } }";

interface Kind {
  /** Completes "an application that". */
  readonly name: string;
  readonly requests: (application: Seeded) => readonly Sent[];
  /** Calls can succeed, and excess calls are refused. Else each ends with this code, or is refused. */
  readonly endsWith: "done" | "BAD_USER_INPUT" | "UNAUTHENTICATED";
}

const KINDS: readonly Kind[] = [
  {
    name: "repeats refused calls",
    requests: (application) => [readOf(application, "content, 50 posts")],
    endsWith: "done",
  },
  {
    name: "sends mutations and queries",
    requests: (application) => [
      readOf(application, "content, 50 posts"),
      callOf(application, SEVERAL_FIELDS),
      callOf(application, REFRESH),
    ],
    endsWith: "done",
  },
  {
    name: "sends invalid documents",
    requests: (application) => [callOf(application, "{ unknown { id } }")],
    endsWith: "BAD_USER_INPUT",
  },
  {
    name: "sends invalid arguments",
    requests: (application) => [callOf(application, TOO_MANY)],
    endsWith: "BAD_USER_INPUT",
  },
  {
    name: "sends a wrong key",
    requests: (application) => {
      const key = `${application.key.split(".")[0]}.${"0".repeat(64)}`;
      return [readOf({ ...application, key }, "content, 50 posts")];
    },
    endsWith: "UNAUTHENTICATED",
  },
];

async function main(seconds: number, rounds: number): Promise<boolean> {
  console.log(describeMachine());
  const settings = { NODE_ENV: "production", LOG_LEVEL: "silent" };
  await using deployment = await startDeployment({ roles: ["api"], settings });
  const { url } = deployment;
  const flooding = fork(FLOOD, { execArgv: process.execArgv });
  // Elsewhere callers run on other machines: this one must not take the processor from the server that it floods.
  if (flooding.pid !== undefined) setPriority(flooding.pid, getPriority() + 5);
  const flood = async (load: Load): Promise<FloodResult> => {
    flooding.send(load);
    const [result] = (await once(flooding, "message")) as [FloodResult];
    return result;
  };
  try {
    const [busy, other] = [await seed(deployment), await seed(deployment)];
    const warmUp = { url, requests: READS.map((read) => readOf(other, read)), connections: 4 };
    await runWithoutErrors({ ...warmUp, until: { requests: WARM_UP_REQUESTS } });
    const checks: Check[] = [];
    printHead("flood of an application that", "read of another", "idle", "during", "slowdown (at most 3)");
    for (const kind of KINDS) checks.push(...(await floodOfKind(kind, { url, flood, busy, other, seconds, rounds })));
    console.log();
    checks.push(...(await costsOfRefusals(deployment, rounds)), ...(await floodOfPages(url, flood, seconds, rounds)));
    return reportChecks(checks);
  } finally {
    flooding.kill();
  }
}

interface Parts {
  readonly url: string;
  readonly flood: (load: Load) => Promise<FloodResult>;
  readonly busy: Seeded;
  readonly other: Seeded;
  readonly seconds: number;
  readonly rounds: number;
}

/** Idle and flooded turns alternate, because machines differ and change. */
async function floodOfKind(kind: Kind, { url, flood, busy, other, seconds, rounds }: Parts): Promise<Check[]> {
  const { name, requests, endsWith } = kind;
  const load: Load = { url, requests: requests(busy), connections: PARALLEL, until: { seconds } };
  const results: FloodResult[] = [];
  const checks: Check[] = [];
  for (const read of READS) {
    const oneAtATime: Load = { url, requests: [readOf(other, read)], connections: 1, until: { seconds } };
    const times = { idle: [] as number[], flooded: [] as number[] };
    await runWithoutErrors({ ...oneAtATime, until: { seconds: 1 } });
    for (let round = 0; round < rounds; round += 1) {
      times.idle.push(...(await runWithoutErrors(oneAtATime)).tookMs);
      const flooded = flood(load);
      times.flooded.push(...(await runWithoutErrors(oneAtATime)).tookMs);
      results.push(await flooded);
    }
    const [idle, during] = [median(times.idle), median(times.flooded)];
    printRow(name, read, `${idle.toFixed(1)} ms`, `${during.toFixed(1)} ms`, (during / idle).toFixed(2));
    checks.push({
      name: `${read}: at most ${MOST_SLOWDOWN} times the idle median while the other ${name}`,
      isMet: during <= MOST_SLOWDOWN * idle,
    });
  }
  const answers = new Set(results.flatMap((result) => Object.keys(result.answers)));
  if (endsWith === "done")
    checks.push({ name: `excess calls are refused (${name})`, isMet: answers.has("RATE_LIMITED") });
  return [
    ...checks,
    {
      name: `each refusal names seconds (${name})`,
      isMet: results.every(({ refusedWithoutSeconds }) => refusedWithoutSeconds === 0),
    },
    {
      name: `every call has its result or RATE_LIMITED (${name})`,
      isMet: [...answers].every((code) => [endsWith, "RATE_LIMITED"].includes(code)),
    },
  ];
}

function readOf({ key, ...application }: Seeded, name: string): Sent {
  const read = readsOf(application).find((one) => one.name === name);
  if (read === undefined) throw new Error(`There is no read ${name}.`);
  return graphql("/graphql", key, read.query, read.variables);
}

function callOf({ key, scope, connectionId }: Seeded, query: string): Sent {
  return graphql("/graphql", key, query, { scope, id: connectionId });
}

const [seconds = 3, rounds = 3] = process.argv.slice(2).map(Number);
process.exitCode = (await main(seconds, rounds)) ? 0 : 1;
