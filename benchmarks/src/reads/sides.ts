import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { reservePort } from "../../../apps/server/src/platform/ports.ts";
import { cpuMsOf, cpuMsOfDatabase } from "./cpu.ts";
import { backendsOf } from "./databaseProcesses.ts";
import { type Load, measure } from "./load.ts";
import type { Read } from "./reads.ts";

const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const CONCURRENCY = 16;
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The servers that are compared. */
export const PROGRAMS = {
  service: [pathOf("../../../apps/server/src/cli/cli.ts"), "start", "--role", "api"],
  limit: [pathOf("./limit.ts")],
  postgraphile: [pathOf("./others/postgraphile.ts")],
  apollo: [pathOf("./others/apollo.ts")],
} as const satisfies Record<string, readonly string[]>;

export type SideName = keyof typeof PROGRAMS;

/** A process that answers the reads. */
export interface Side {
  readonly pid: number;
  /** On loopback, without a path. */
  readonly url: string;
  /** The database that it reads. */
  readonly databaseUrl: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** The environment of an api on a database. */
export function environmentOn(databaseUrl: string) {
  return {
    ...process.env,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
    NODE_ENV: "production",
  };
}

/** Starts a program and waits until it prints that it listens, or logs that it has started. */
export async function startSide(
  program: readonly string[],
  environment: ReturnType<typeof environmentOn> & Readonly<Record<string, string | undefined>>,
  flags: readonly string[] = FLAGS,
): Promise<Side> {
  const port = await reservePort();
  const child = spawn(process.execPath, [...flags, ...program], {
    env: { ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`${program[0]} ended before it was ready.`)));
    child.stdout?.on("data", (chunk: Buffer) => /listening|ready|"started"/.test(chunk.toString()) && resolve());
  });
  const { DATABASE_URL: databaseUrl } = environment;
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, databaseUrl, child, stop: () => stop(child) };
}

/** What a server receives for a read. */
export function requestOf(name: SideName, read: Read): { readonly path: string; readonly body: string } {
  const { query, variables } = name === "postgraphile" ? read.postgraphile : read;
  const path = { service: "/graphql", limit: read.path, postgraphile: "/graphql", apollo: "/" }[name];
  return { path, body: JSON.stringify({ query, variables }) };
}

interface Sent {
  readonly path: string;
  readonly body: string;
}

export interface Turn {
  readonly perSecond: number;
  readonly medianMs: number;
  /** CPU time per request of the measured process, which other load affects less than the rate. */
  readonly cpuMs: number;
  /** The same of the database's processes for connections. */
  readonly databaseMs: number;
}

/** Sends the same request to a side for some seconds. */
export async function takeTurn(side: Side, sent: Sent, key: string, seconds: number): Promise<Turn> {
  const { pid, databaseUrl } = side;
  const backends = await backendsOf(databaseUrl);
  const [before, databaseBefore] = [await cpuMsOf(pid), await cpuMsOfDatabase(backends)];
  const { count, perSecond, medianMs } = await measure({ ...loadOf(side, sent, key), seconds });
  const [after, databaseAfter] = [await cpuMsOf(pid), await cpuMsOfDatabase(backends)];
  return { perSecond, medianMs, cpuMs: (after - before) / count, databaseMs: (databaseAfter - databaseBefore) / count };
}

/** Sends the same request to a side a number of times. */
export async function sendRequests(side: Side, sent: Sent, key: string, count: number): Promise<void> {
  await measure({ ...loadOf(side, sent, key), count });
}

function loadOf({ url }: Side, { path, body }: Sent, key: string): Load {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return { url: `${url}${path}`, headers, body, concurrency: CONCURRENCY };
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
