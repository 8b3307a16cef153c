import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { SERVICE_COMMAND } from "../../../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../../../packages/testkit/src/ports.ts";

/** A process that is measured. */
export interface Side {
  readonly pid: number;
  /** On loopback, without a path. */
  readonly url: string;
  /** The database that it reads. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export type Environment = ReturnType<typeof environmentOn>;

/** The environment of the service on a database. */
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

/** The command `social-connect` of this checkout or of another one, for Node. */
export function serviceCommand(folder?: string): readonly string[] {
  const [, ...parameters] = SERVICE_COMMAND;
  const root = new URL("../../../", import.meta.url).pathname;
  return folder === undefined ? parameters : parameters.map((part) => part.replace(root, `${folder}/`));
}

/** Starts a program and waits until it prints that it listens, or logs that it has started. */
export async function startSide(program: readonly string[], environment: Environment): Promise<Side> {
  const port = await reservePort();
  const child = spawn(process.execPath, program, {
    env: { ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`${program.join(" ")} ended before it was ready.`)));
    child.stdout?.on("data", (chunk: Buffer) => /listening|ready|"started"/.test(chunk.toString()) && resolve());
  });
  const { DATABASE_URL: databaseUrl } = environment;
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, databaseUrl, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners("exit");
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
