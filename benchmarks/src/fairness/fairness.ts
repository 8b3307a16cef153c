/** What callers can do to each other; see the README. `pnpm benchmark fairness [seconds of a turn] [rounds]` */
import { startDeployment } from "../../../system-tests/deployment/deployment.ts";
import { graphql, type Load, runWithoutErrors, type Sent } from "../load/load.ts";
import { readsOf } from "../reads/queries.ts";
import { type Seeded, seed } from "../reads/seed.ts";
import { type Check, describeMachine, printHead, printRow, reportChecks } from "../results/report.ts";
import { type Floods, startFloods } from "./floods.ts";
import { floodOfPages } from "./pages.ts";
import { costsOfRefusals } from "./refusals.ts";

const PARALLEL = 150;
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

/**
 * What an application does, by its name, which completes "an application that". Calls that end with "done" can succeed, and excess calls
 * are refused. With another end, each call has that code, or is refused.
 */
type Kind = readonly [endsWith: "done" | "BAD_USER_INPUT" | "UNAUTHENTICATED", ...requests: ((one: Seeded) => Sent)[]];

const [CONTENT = ""] = READS;
const content = (application: Seeded) => readOf(application, CONTENT);
const KINDS: Readonly<Record<string, Kind>> = {
  "repeats refused calls": ["done", content],
  "sends mutations and queries": ["done", content, (one) => callOf(one, SEVERAL_FIELDS), (one) => callOf(one, REFRESH)],
  "sends invalid documents": ["BAD_USER_INPUT", (one) => callOf(one, "{ unknown { id } }")],
  "sends invalid arguments": ["BAD_USER_INPUT", (one) => callOf(one, TOO_MANY)],
  "sends a wrong key": [
    "UNAUTHENTICATED",
    (one) => content({ ...one, key: `${one.key.split(".")[0]}.${"0".repeat(64)}` }),
  ],
};

async function main(seconds: number, rounds: number): Promise<boolean> {
  console.log(describeMachine());
  const settings = { NODE_ENV: "production", LOG_LEVEL: "silent" };
  await using deployment = await startDeployment({ roles: ["api"], settings });
  const { url } = deployment;
  using floods = startFloods(rounds);
  const [busy, other] = [await seed(deployment), await seed(deployment)];
  const warmUp = { url, requests: READS.map((read) => readOf(other, read)), connections: 4 };
  await runWithoutErrors({ ...warmUp, until: { requests: WARM_UP_REQUESTS } });
  const checks: Check[] = [];
  printHead("flood of an application that", "read of another", "idle", "during", "slowdown (at most 3)");
  for (const [name, kind] of Object.entries(KINDS))
    checks.push(...(await floodOfKind(name, kind, { url, floods, busy, other, seconds })));
  console.log();
  checks.push(...(await costsOfRefusals(deployment, rounds)), ...(await floodOfPages(url, floods, seconds)));
  return reportChecks(checks);
}

interface Parts {
  readonly url: string;
  readonly floods: Floods;
  readonly busy: Seeded;
  readonly other: Seeded;
  readonly seconds: number;
}

async function floodOfKind(
  name: string,
  [endsWith, ...requests]: Kind,
  { url, floods, busy, other, seconds }: Parts,
): Promise<Check[]> {
  const sent = requests.map((requestOf) => requestOf(busy));
  const load: Load = { url, requests: sent, connections: PARALLEL, until: { seconds } };
  const answers = new Set<string>();
  let refusedWithoutSeconds = 0;
  const checks: Check[] = [];
  for (const read of READS) {
    const oneAtATime: Load = { url, requests: [readOf(other, read)], connections: 1, until: { seconds } };
    await runWithoutErrors({ ...oneAtATime, until: { seconds: 1 } });
    const call = async () => (await runWithoutErrors(oneAtATime)).tookMs;
    const bound = `${read}: at most three times the idle median while the other ${name}`;
    const { check, shown, results } = await floods.compare(bound, load, call);
    for (const result of results) {
      for (const code of Object.keys(result.answers)) answers.add(code);
      refusedWithoutSeconds += result.refusedWithoutSeconds;
    }
    printRow(name, read, ...shown);
    checks.push(check);
  }
  if (endsWith === "done")
    checks.push({ name: `excess calls are refused (${name})`, isMet: answers.has("RATE_LIMITED") });
  const areExpected = [...answers].every((code) => [endsWith, "RATE_LIMITED"].includes(code));
  return [
    ...checks,
    { name: `each refusal names seconds (${name})`, isMet: refusedWithoutSeconds === 0 },
    { name: `every call has its result or RATE_LIMITED (${name})`, isMet: areExpected },
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
