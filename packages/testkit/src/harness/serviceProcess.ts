import { createWriteStream } from "node:fs";
import { reservePort } from "../ports.ts";
import {
  type Command,
  type ProgramOptions,
  SERVICE_COMMAND,
  type StartedProgram,
  startProgram,
} from "./startedProgram.ts";

export interface ServicePlan extends Pick<ProgramOptions, "folder" | "stdout"> {
  readonly name?: string;
  readonly role: "api" | "worker" | "both";
  /** The command `social-connect`; from the source by default. */
  readonly command?: Command;
  /** Options of the command. */
  readonly options?: readonly string[];
  /** A free one by default. */
  readonly port?: number;
  readonly environment: NonNullable<ProgramOptions["environment"]>;
  /** A file for its log, in place of `lines` and `warnings`. */
  readonly log?: string;
}

export interface LogLine {
  readonly msg: string;
  readonly correlationId?: string;
  readonly [field: string]: unknown;
}

export type ServiceProcess = Awaited<ReturnType<typeof planProcess>>;

/** A process of the service, which keeps its addresses and its log when it is started again. */
export async function planProcess({ role, name = role, port: given, environment, log: file, ...plan }: ServicePlan) {
  const { command = SERVICE_COMMAND, options = [], folder, stdout } = plan;
  const port = given ?? (await reservePort());
  const metricsPort = String(await reservePort());
  const log = file === undefined ? undefined : createWriteStream(file, { mode: 0o600 });
  let started: StartedProgram | null = null;
  const service = {
    name,
    role,
    port,
    url: `http://127.0.0.1:${port}`,
    /** The address of its metrics and probes. */
    operations: `http://127.0.0.1:${metricsPort}`,
    lines: [] as LogLine[],
    /** All lines of its standard output. */
    output: [] as string[],
    /** What it wrote beside its log, such as a warning of Node. */
    warnings: [] as string[],
    /** Stopped by `freeze`: the system takes connections for it, and it answers none. */
    isFrozen: false,
    get program(): StartedProgram {
      if (started === null) throw new Error(`${name} does not run`);
      return started;
    },
    start: async (): Promise<void> => {
      started = startProgram({
        name,
        command: [...command, "start", "--role", role, ...options],
        ...(folder !== undefined && { folder }),
        ...(stdout !== undefined && { stdout }),
        environment: { ...environment, PORT: String(port), METRICS_PORT: metricsPort },
        isAlone: true,
        onLine: (line, stream) => {
          if (log !== undefined) log.write(`${line}\n`);
          else if (stream === "stderr") {
            console.error(line);
            service.warnings.push(line);
          } else {
            service.output.push(line);
            if (line.startsWith("{")) service.lines.push(JSON.parse(line) as LogLine);
          }
        },
      });
      await started.until(service.isReady);
    },
    /** Whether a load balancer would send it requests. */
    isReady: async (): Promise<boolean> => {
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(`${service.operations}/readyz`, { signal }).catch(() => null);
      await response?.body?.cancel();
      return response?.status === 200;
    },
    /** SIGTERM; throws unless the process shuts down cleanly. */
    stop: async (): Promise<void> => started?.stop(),
    /** Afterwards there is nothing to stop. */
    kill: async (): Promise<void> => {
      const program = started;
      started = null;
      await program?.kill();
    },
    freeze: (): void => {
      service.isFrozen = service.program.child.kill("SIGSTOP");
    },
    resume: (): void => {
      service.isFrozen = false;
      started?.child.kill("SIGCONT");
    },
    [Symbol.asyncDispose]: () => service.stop(),
  };
  return service;
}
