/**
 * Compares the hot reads of the consumer API with hand-written versions, alternating in one run, because machines
 * differ and change. `pnpm benchmark [seconds a turn] [rounds]`
 */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { reservePort } from "../../apps/server/src/platform/ports.ts";
import { withTemporaryDatabase } from "../../tools/temporaryDatabase.ts";
import type { Read } from "./cases.ts";
import { readsOf } from "./cases.ts";
import { cpuSecondsOf } from "./cpu.ts";
import { measure } from "./load.ts";
import { seed } from "./seed.ts";

const SERVER = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
const HANDWRITTEN = fileURLToPath(new URL("./handwritten.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const CONCURRENCY = 16;

interface Side {
  readonly name: "service" | "by hand";
  readonly child: ChildProcess;
  readonly port: number;
}

interface Turn {
  readonly perSecond: number;
  readonly medianMs: number;
  /** CPU time of the measured process only, so that other load hardly affects it. */
  readonly cpuMs: number;
}

async function main(seconds: number, rounds: number): Promise<void> {
  await withTemporaryDatabase(async (database) => {
    const url = database.url("postgres");
    const environment = {
      ...process.env,
      DATABASE_URL: url,
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
      LOG_LEVEL: "warn",
      DRAIN_SECONDS: "0",
    };
    const service = await start("service", [SERVER, "start", "--role", "api"], environment, "listening");
    const seeded = await seed(url);
    const byHand = await start("by hand", [HANDWRITTEN], environment, "ready");
    try {
      console.log(heading());
      for (const read of readsOf(seeded)) {
        const turns = { service: [] as Turn[], "by hand": [] as Turn[] };
        for (const side of [service, byHand]) await turn(side, read, seeded.key, 1);
        for (let round = 0; round < rounds; round += 1)
          for (const side of [service, byHand]) turns[side.name].push(await turn(side, read, seeded.key, seconds));
        console.log(line(read.name, median(turns.service), median(turns["by hand"])));
      }
    } finally {
      await Promise.all([service, byHand].map(({ child }) => stop(child)));
    }
  });
}

async function turn(side: Side, read: Read, key: string, seconds: number): Promise<Turn> {
  const before = await cpuSecondsOf(side.child.pid);
  const { count, perSecond, medianMs } = await measure({
    url: `http://127.0.0.1:${side.port}${side.name === "service" ? "/graphql" : read.path}`,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query: read.query, variables: read.variables }),
    concurrency: CONCURRENCY,
    seconds,
  });
  const cpuMs = (((await cpuSecondsOf(side.child.pid)) - before) * 1_000) / count;
  return { perSecond, medianMs, cpuMs };
}

/** The median of each number. */
function median(turns: readonly Turn[]): Turn {
  const middle = (of: (turn: Turn) => number) =>
    turns.map(of).toSorted((a, b) => a - b)[turns.length >> 1] ?? Number.NaN;
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    medianMs: middle(({ medianMs }) => medianMs),
    cpuMs: middle(({ cpuMs }) => cpuMs),
  };
}

function heading(): string {
  return "| read | service | hand-written | quotient | CPU of the service | CPU hand-written |\n| --- | --: | --: | --: | --: | --: |";
}

function line(name: string, service: Turn, byHand: Turn): string {
  const speed = ({ perSecond, medianMs }: Turn) => `${Math.round(perSecond)}/s (${medianMs.toFixed(1)} ms)`;
  const cpu = ({ cpuMs }: Turn) => `${cpuMs.toFixed(2)} ms`;
  const quotient = (service.perSecond / byHand.perSecond).toFixed(2);
  return `| ${name} | ${speed(service)} | ${speed(byHand)} | ${quotient} | ${cpu(service)} | ${cpu(byHand)} |`;
}

async function start(
  name: Side["name"],
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv,
  word: string,
): Promise<Side> {
  const port = await reservePort();
  const child = spawn(process.execPath, [...FLAGS, ...parameters], {
    env: { ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the process ended before it said ${word}`)));
    child.stdout?.on("data", (chunk: Buffer) => chunk.includes(word) && resolve());
  });
  return { name, child, port };
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

const [seconds = 2, rounds = 5] = process.argv.slice(2).map(Number);
await main(seconds, rounds);
