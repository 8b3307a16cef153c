import { randomBytes } from "node:crypto";
import { SERVICE_COMMAND, StartedProgram } from "../../../packages/testkit/src/harness/startedProgram.ts";
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
  let isReady = false;
  const started = new StartedProgram({
    ...{ name: program.join(" "), command: [process.execPath, ...program], isAlone: true },
    environment: { ...environment, PORT: String(port) },
    onLine: (line, stream) => {
      isReady ||= /listening|ready|"started"/.test(line);
      if (stream === "stderr") console.error(line);
    },
  });
  await started.until(async () => isReady);
  const { DATABASE_URL: databaseUrl } = environment;
  return { pid: started.child.pid ?? 0, url: `http://127.0.0.1:${port}`, databaseUrl, stop: () => started.kill() };
}
