import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { reservePort } from "../../apps/server/src/platform/ports.ts";
import type { Read } from "./cases.ts";
import { cpuSecondsOf } from "./cpu.ts";
import { measure } from "./load.ts";

const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const CONCURRENCY = 16;

/** A process that answers the reads, on a port of loopback. */
export interface Side {
  readonly child: ChildProcess;
  readonly port: number;
}

/** One measurement of a read at a side. */
export interface Turn {
  readonly perSecond: number;
  readonly medianMs: number;
  /** CPU time of the measured process only, so that other load hardly affects it. */
  readonly cpuMs: number;
}

/** The environment of an api on a database. */
export function environmentOn(url: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: url,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
  };
}

/** Starts a program and waits until it prints the word. */
export async function startSide(
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
  return { child, port };
}

export function stopSide({ child }: Side): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

/** Sends one read to a side for some seconds. */
export async function takeTurn(
  { child, port }: Side,
  { path, body }: { readonly path: string; readonly body: Pick<Read, "query" | "variables"> },
  key: string,
  seconds: number,
): Promise<Turn> {
  const before = await cpuSecondsOf(child.pid);
  const { count, perSecond, medianMs } = await measure({
    url: `http://127.0.0.1:${port}${path}`,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query: body.query, variables: body.variables }),
    concurrency: CONCURRENCY,
    seconds,
  });
  const cpuMs = (((await cpuSecondsOf(child.pid)) - before) * 1_000) / count;
  return { perSecond, medianMs, cpuMs };
}

/** The median of each number. */
export function medianOf(turns: readonly Turn[]): Turn {
  return {
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
    medianMs: median(turns.map(({ medianMs }) => medianMs)),
    cpuMs: median(turns.map(({ cpuMs }) => cpuMs)),
  };
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;
}
