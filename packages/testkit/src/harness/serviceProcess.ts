import { createWriteStream, type WriteStream } from "node:fs";
import { reservePort } from "../ports.ts";
import { type Command, type ProgramOptions, SERVICE_COMMAND, StartedProgram } from "./startedProgram.ts";

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

/** A process of the service, which keeps its addresses and its log when it is started again. */
export class ServiceProcess {
  readonly name: string;
  readonly role: ServicePlan["role"];
  readonly port: number;
  /** The address of its metrics and probes. */
  readonly operations: string;
  readonly lines: LogLine[] = [];
  /** All lines of its standard output. */
  readonly output: string[] = [];
  /** What it wrote beside its log, such as a warning of Node. */
  readonly warnings: string[] = [];
  /** Stopped by `freeze`: the system takes connections for it, and it answers none. */
  isFrozen = false;
  readonly #plan: ServicePlan;
  readonly #log: WriteStream | undefined;
  #program: StartedProgram | null = null;

  private constructor(plan: ServicePlan, port: number, operations: string) {
    this.name = plan.name ?? plan.role;
    this.role = plan.role;
    this.port = port;
    this.operations = operations;
    this.#plan = plan;
    this.#log = plan.log === undefined ? undefined : createWriteStream(plan.log, { mode: 0o600 });
  }

  static async plan(plan: ServicePlan): Promise<ServiceProcess> {
    const port = plan.port ?? (await reservePort());
    return new ServiceProcess(plan, port, `http://127.0.0.1:${await reservePort()}`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get program(): StartedProgram {
    if (this.#program === null) throw new Error(`${this.name} does not run`);
    return this.#program;
  }

  async start(): Promise<void> {
    const { role, command = SERVICE_COMMAND, environment, options = [], folder, stdout } = this.#plan;
    this.#program = new StartedProgram({
      name: this.name,
      command: [...command, "start", "--role", role, ...options],
      ...(folder !== undefined && { folder }),
      ...(stdout !== undefined && { stdout }),
      environment: { ...environment, PORT: String(this.port), METRICS_PORT: new URL(this.operations).port },
      isAlone: true,
      onLine: (line, stream) => {
        if (this.#log !== undefined) this.#log.write(`${line}\n`);
        else if (stream === "stderr") {
          console.error(line);
          this.warnings.push(line);
        } else {
          this.output.push(line);
          if (line.startsWith("{")) this.lines.push(JSON.parse(line) as LogLine);
        }
      },
    });
    await this.#program.until(() => this.isReady());
  }

  /** Whether a load balancer would send it requests. */
  async isReady(): Promise<boolean> {
    const response = await fetch(`${this.operations}/readyz`, { signal: AbortSignal.timeout(30_000) }).catch(
      () => null,
    );
    await response?.body?.cancel();
    return response?.status === 200;
  }

  /** SIGTERM; throws unless the process shuts down cleanly. */
  async stop(): Promise<void> {
    await this.#program?.stop();
  }

  /** Afterwards there is nothing to stop. */
  async kill(): Promise<void> {
    const program = this.#program;
    this.#program = null;
    await program?.kill();
  }

  freeze(): void {
    this.isFrozen = this.program.child.kill("SIGSTOP");
  }

  resume(): void {
    this.isFrozen = false;
    this.#program?.child.kill("SIGCONT");
  }
}
