/**
 * The hot reads of the consumer API, in turns with those of other servers on the same data or of another checkout, because machines
 * differ and change. Exits with 1 if a bound is missed.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runStatement } from "../../../packages/testkit/src/database.ts";
import { withTemporaryDatabase } from "../../../packages/testkit/src/harness/temporaryDatabase.ts";
import { graphql, type Load, runWithoutErrors, type Sent } from "../load/load.ts";
import { environmentOn, type Side, serviceCommand, startSide } from "../load/sides.ts";
import { cpuMsOf, cpuMsOfDatabase } from "../results/cpu.ts";
import { median } from "../results/median.ts";
import { describeMachine, printHead, printRow } from "../results/report.ts";
import { installOthers } from "./others/packages.ts";
import { type Read, readsOf } from "./queries.ts";
import { seed } from "./seed.ts";

const HELP = `pnpm benchmark [options]            the reads
pnpm benchmark --others [options]   each read must have 1.1 times the rate of PostGraphile 5, and 3 times that of Apollo Server 5 with Prisma
pnpm benchmark compare FOLDER [options]   each read may take 1.1 times the CPU time that it takes in another checkout
  --seconds N   seconds of a turn (2)
  --rounds N    turns of each server (5)
  --read NAME   only this read; repeatable`;

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
  readonly side: Side;
  readonly key: string;
  readonly requestOf: (read: Read) => Sent;
  /** The quotient of the first server and this one, and whether it is within the bound. */
  readonly compare?: (own: Turn, other: Turn) => number;
  readonly isMet?: (quotient: number) => boolean;
  readonly reads: readonly Read[];
}

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly reads: readonly string[];
  readonly others: boolean;
  /** The folder of another checkout. */
  readonly folder: string | undefined;
}

async function main({ seconds, rounds, reads, others, folder }: Options): Promise<boolean> {
  if (others) await installOthers();
  console.log(describeMachine());
  return withTemporaryDatabase(async (database) => {
    const contestants: Contestant[] = [];
    try {
      const own = await startService(database.url("postgres"));
      contestants.push(own);
      if (others) for (const name of OTHERS) contestants.push(await startOther(name, own));
      if (folder !== undefined) {
        await runStatement(database.url("postgres"), "CREATE DATABASE there");
        contestants.push(await startService(database.url("there"), folder));
      }
      for (const contestant of contestants) await send(contestant, contestant.reads, { requests: WARM_UP_REQUESTS });
      printHead("read", ...contestants.flatMap(({ title, compare }) => (compare ? [title, "quotient"] : [title])));
      let isMet = true;
      for (const [index, { name }] of own.reads.entries()) {
        if (reads.length > 0 && !reads.includes(name)) continue;
        const turns = await alternate(contestants, index, { seconds, rounds });
        isMet = report(name, contestants, turns) && isMet;
      }
      return isMet;
    } finally {
      for (const { side } of contestants) await side.stop();
    }
  });
}

/** The service, of this checkout or of another one, with its data. */
async function startService(databaseUrl: string, folder?: string): Promise<Contestant> {
  const program = [...serviceCommand(folder), "start", "--role", "api"];
  const side = await startSide(program, environmentOn(databaseUrl));
  const { key, ...seeded } = await seed(databaseUrl);
  const requestOf = ({ query, variables }: Read) => graphql("/graphql", key, query, variables);
  const service = { title: "service", side, key, requestOf, reads: readsOf(seeded) };
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
async function startOther(name: (typeof OTHERS)[number], { side, key, reads }: Contestant): Promise<Contestant> {
  const program = fileURLToPath(new URL(`./others/${name}.ts`, import.meta.url));
  return {
    title: name === "postgraphile" ? "PostGraphile" : "Apollo, Prisma",
    side: await startSide(["--disable-warning=ExperimentalWarning", program], environmentOn(side.databaseUrl)),
    key,
    requestOf: (read) => {
      const { query, variables } = name === "postgraphile" ? read.postgraphile : read;
      return graphql(name === "postgraphile" ? "/graphql" : "/", key, query, variables);
    },
    reads,
    compare: (own, other) => own.perSecond / other.perSecond,
    isMet: (quotient) => quotient >= LEAST_TIMES[name],
  };
}

/** Each server answers the read in turns, in the other order each time. */
async function alternate(
  contestants: readonly Contestant[],
  index: number,
  { seconds, rounds }: Pick<Options, "seconds" | "rounds">,
) {
  const turns = contestants.map((): Turn[] => []);
  const sendTo = (contestant: Contestant, until: Load["until"]) =>
    send(contestant, contestant.reads.slice(index, index + 1), until);
  for (const contestant of contestants) await sendTo(contestant, { seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    for (const place of contestants.keys()) {
      const number = round % 2 === 0 ? place : contestants.length - 1 - place;
      const contestant = contestants[number];
      if (contestant === undefined) throw new Error("There is no such server.");
      const { pid, databaseUrl } = contestant.side;
      const backends = await backendsOf(databaseUrl);
      const [before, databaseBefore] = [await cpuMsOf(pid), await cpuMsOfDatabase(backends)];
      const { count, perSecond } = await sendTo(contestant, { seconds });
      const [cpuMs, databaseMs] = [(await cpuMsOf(pid)) - before, (await cpuMsOfDatabase(backends)) - databaseBefore];
      turns[number]?.push({ perSecond, cpuMs: cpuMs / count, databaseMs: databaseMs / count });
    }
  }
  return turns;
}

function send({ side: { url }, requestOf }: Contestant, reads: readonly Read[], until: Load["until"]) {
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
    read: { type: "string", multiple: true, default: [] },
    others: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [what, folder] = positionals;
if (values.help || (what !== undefined && (what !== "compare" || folder === undefined))) {
  console.log(HELP);
  if (!values.help) process.exitCode = 2;
} else {
  const numbers = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
  const of = folder === undefined ? undefined : resolve(folder);
  if (!(await main({ ...numbers, reads: values.read, others: values.others, folder: of }))) process.exitCode = 1;
}
