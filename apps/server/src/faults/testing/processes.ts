import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { SOURCE_FLAGS } from "../../../../../packages/testkit/src/harness/startedProgram.ts";

/** Child processes of one test file; the remaining ones are killed at the end. */
export class Processes {
  readonly #children: ChildProcess[] = [];

  /** Starts a file of this folder, or the command line, with an IPC channel. */
  start(file: string, environment: Record<string, string>, parameters: readonly string[] = []): Told {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const child = spawn(process.execPath, [...SOURCE_FLAGS, path, ...parameters], {
      env: { ...INHERITED_ENVIRONMENT, HOME: process.env.HOME, ...environment },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#children.push(child);
    return new Told(child);
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
}

export class Told {
  readonly child: ChildProcess;
  readonly messages: unknown[] = [];
  output = "";
  #wake = (): void => undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    const wake = () => this.#wake();
    child.on("message", (message) => {
      this.messages.push(message);
      wake();
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      this.output += chunk.toString("utf8");
      wake();
    });
    child.on("exit", wake);
  }

  get pid(): number {
    return this.child.pid ?? Number.NaN;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits for a message; the test's timeout ends it. */
  async tells(message: string): Promise<void> {
    await this.#until(() => this.messages.includes(message), message);
  }

  /** The next message, from now on. */
  async next<Message>(): Promise<Message> {
    const index = this.messages.length;
    await this.#until(() => this.messages.length > index, "of the next request");
    return this.messages[index] as Message;
  }

  async says(text: string): Promise<void> {
    await this.#until(() => this.output.includes(text), text);
  }

  async ended(): Promise<number | null> {
    if (this.isAlive) await once(this.child, "exit");
    return this.child.exitCode;
  }

  async #until(isTold: () => boolean, what: string): Promise<void> {
    while (!isTold()) {
      if (!this.isAlive) throw new Error(`a process ended before its message ${JSON.stringify(what)}: ${this.output}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
