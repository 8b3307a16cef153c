/**
 * The hot reads of the consumer API, in turns with those of other servers on the same data or of another checkout, because machines
 * differ and change; see the README. `--seconds N` is the length of a turn, `--rounds N` the number of turns of each server.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runStatement } from "../../../packages/testkit/src/database.ts";
import { type Command, SERVICE_COMMAND, startProgram } from "../../../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../../../packages/testkit/src/ports.ts";
import { startDeployment } from "../../../system-tests/deployment/deployment.ts";
import { graphql, type Load, runWithoutErrors, type Sent } from "../load/load.ts";
import { cpuMsOf, cpuMsOfDatabase, describeMachine, median, printHead, printRow } from "../results/report.ts";
import { installOthers } from "./others/packages.ts";
import { type Read, readsOf } from "./queries.ts";
import { seed } from "./seed.ts";

const CONNECTIONS = 16;
/** Until V8 has optimized the functions of a request: by number, because machines differ. All reads in turn. */
const WARM_UP_REQUESTS = 30_000;
const MOST_TIMES_ANOTHER_CHECKOUT = 1.1;
const LEAST_TIMES = { postgraphile: 1.1, apollo: 3 };
const OTHERS = ["postgraphile", "apollo"] as const;

interface Turn {
  readonly perSecond: number;
  /** CPU time of a request, of the process and of the database's processes, which other load affects less than the rate. */
  readonly cpuMs: number;
  readonly databaseMs: number;
}

/** A server whose turns are compared with those of the first. */
interface Contestant {
  readonly title: string;
  readonly pid: number | undefined;
  /** On loopback, without a path. */
  readonly url: string;
  /** The database that it reads. */
  readonly databaseUrl: string;
  readonly key: string;
  readonly requestOf: (read: Read) => Sent;
  /** The quotient of the first server and this one, and whether it is within the bound. */
  readonly compare?: (own: Turn, other: Turn) => number;
  readonly isMet?: (quotient: number) => boolean;
  readonly reads: readonly Read[];
}

type Length = Readonly<Record<"seconds" | "rounds", number>>;

/** `folder`: of another checkout. */
async function main(length: Length, others: boolean, folder: string | undefined): Promise<boolean> {
  if (others) await installOthers();
  console.log(describeMachine());
  await using stack = new AsyncDisposableStack();
  const own = await startService(stack);
  const contestants = [own];
  if (others) for (const name of OTHERS) contestants.push(await startOther(name, own, stack));
  if (folder !== undefined) contestants.push(await startService(stack, folder));
  // In turns: a process that waits after it is warm loses a tenth of its rate.
  for (let turn = 0; turn < 10; turn += 1)
    for (const one of contestants) await send(one, one.reads, { requests: WARM_UP_REQUESTS / 10 });
  printHead("read", ...contestants.flatMap(({ title, compare }) => (compare ? [title, "quotient"] : [title])));
  let isMet = true;
  for (const [index, { name }] of own.reads.entries()) {
    const turns = await alternate(contestants, index, length);
    isMet = report(name, contestants, turns) && isMet;
  }
  return isMet;
}

/** The service, of this checkout or of another one, with its data. */
async function startService(stack: AsyncDisposableStack, folder?: string): Promise<Contestant> {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const [node, ...parameters] = SERVICE_COMMAND;
  const command: Command = [node, ...parameters.map((part) => part.replace(root, `${folder ?? root}/`))];
  const settings = { NODE_ENV: "production" };
  const deployment = stack.use(await startDeployment({ roles: ["api"], command, settings }));
  const { api, databaseUrl, url } = deployment;
  const { key, ...seeded } = await seed(deployment);
  const requestOf = ({ query, variables }: Read) => graphql("/graphql", key, query, variables);
  const reads = readsOf(seeded);
  const service = { title: "service", pid: api.program.child.pid, url, databaseUrl, key, requestOf, reads };
  if (folder === undefined) return service;
  const costOf = ({ cpuMs, databaseMs }: Turn) => cpuMs + databaseMs;
  return {
    ...service,
    title: "the other checkout",
    compare: (own, other) => costOf(own) / costOf(other),
    isMet: (quotient) => quotient <= MOST_TIMES_ANOTHER_CHECKOUT,
  };
}

/** Another server on the data of the service. */
async function startOther(
  name: (typeof OTHERS)[number],
  { databaseUrl, key, reads }: Contestant,
  stack: AsyncDisposableStack,
): Promise<Contestant> {
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const file = fileURLToPath(new URL(`./others/${name}.mjs`, import.meta.url));
  const program = startProgram({
    name,
    command: [process.execPath, "--disable-warning=ExperimentalWarning", file],
    environment: { DATABASE_URL: databaseUrl, PORT: String(port), NODE_ENV: "production" },
  });
  stack.defer(() => program.kill());
  await program.until(async () => (await fetch(url)).status > 0);
  return {
    title: name === "postgraphile" ? "PostGraphile" : "Apollo, Prisma",
    ...{ pid: program.child.pid, url, databaseUrl, key, reads },
    requestOf: (read) => {
      const { query, variables } = name === "postgraphile" ? read.postgraphile : read;
      return graphql(name === "postgraphile" ? "/graphql" : "/", key, query, variables);
    },
    compare: (own, other) => own.perSecond / other.perSecond,
    isMet: (quotient) => quotient >= LEAST_TIMES[name],
  };
}

/** Each server answers the read in turns, in the other order each time. */
async function alternate(contestants: readonly Contestant[], index: number, { seconds, rounds }: Length) {
  const turns = contestants.map((): Turn[] => []);
  const sendTo = (contestant: Contestant, until: Load["until"]) =>
    send(contestant, contestant.reads.slice(index, index + 1), until);
  for (const contestant of contestants) await sendTo(contestant, { seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    const inOrder = [...contestants.entries()];
    for (const [number, contestant] of round % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const { pid = Number.NaN, databaseUrl } = contestant;
      const backends = await backendsOf(databaseUrl);
      const [before, databaseBefore] = [await cpuMsOf(pid), await cpuMsOfDatabase(backends)];
      const { count, perSecond } = await sendTo(contestant, { seconds });
      const [cpuMs, database] = [(await cpuMsOf(pid)) - before, await cpuMsOfDatabase(backends)];
      // A connection that ends meanwhile counts nothing.
      const databaseMs = database.reduce((sum, ms, at) => sum + Math.max(0, ms - (databaseBefore[at] ?? 0)), 0);
      turns[number]?.push({ perSecond, cpuMs: cpuMs / count, databaseMs: databaseMs / count });
    }
  }
  return turns;
}

function send({ url, requestOf }: Contestant, reads: readonly Read[], until: Load["until"]) {
  return runWithoutErrors({ url, requests: reads.map(requestOf), connections: CONNECTIONS, until });
}

/** Processes of the database server that serve the connections of a database. */
async function backendsOf(url: string): Promise<number[]> {
  const rows = await runStatement<{ pid: number }>(
    url,
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()",
  );
  return rows.map(({ pid }) => pid);
}

/** Prints requests per second, CPU time of the process + of the database for each, and the median of the rounds' quotients. */
function report(name: string, contestants: readonly Contestant[], turns: readonly (readonly Turn[])[]): boolean {
  const [own = []] = turns;
  let areMet = true;
  const cells = contestants.flatMap(({ compare, isMet }, number) => {
    const ofServer = turns[number] ?? [];
    const at = (column: keyof Turn) => median(ofServer.map((turn) => turn[column]));
    const measured = `${Math.round(at("perSecond"))}/s, ${at("cpuMs").toFixed(2)} + ${at("databaseMs").toFixed(2)} ms`;
    if (compare === undefined || isMet === undefined) return [measured];
    const quotient = median(ofServer.map((other, round) => compare(own[round] ?? other, other)));
    if (!isMet(quotient)) areMet = false;
    return [measured, `${quotient.toFixed(2)}${isMet(quotient) ? "" : " MISSED"}`];
  });
  printRow(name, ...cells);
  return areMet;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    others: { type: "boolean", default: false },
  },
});
const [what, folder] = positionals;
if (what !== undefined && (what !== "compare" || folder === undefined))
  throw new Error("Name the folder: compare FOLDER");
const numbers = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
const isMet = await main(numbers, values.others, folder && resolve(folder));
process.exitCode = isMet ? 0 : 1;
