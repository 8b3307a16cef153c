import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  cleanEnvironment,
  type Environment,
  StartedProgram,
} from "../../packages/testkit/src/harness/startedProgram.ts";
import { CommandError } from "../../tools/packages/commands.ts";

/** Ends a hang. */
const TIMEOUT_MS = 300_000;

/** A shell that keeps its folder and variables from one block of commands to the next, as a reader's terminal does. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #folder: string;
  #output = "";
  #onOutput: () => void = () => undefined;

  constructor(folder: string, environment: Environment) {
    this.#folder = folder;
    // As a reader's shell, it continues after a command that failed, if the page lets it.
    this.#shell = spawn("/bin/sh", [], { cwd: folder, env: cleanEnvironment(environment), stdio: "pipe" });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        this.#output += chunk;
        this.#onOutput();
      });
    }
  }

  /** Runs commands and gives what they print. They must end with `code`, as the last of them does. */
  run(commands: string, { code = 0 }: { readonly code?: number | "any" } = {}): Promise<string> {
    const marker = `end of ${randomUUID()}`;
    const ending = new RegExp(`${marker} (\\d+)\n`);
    this.#output = "";
    return new Promise((resolve, reject) => {
      const settle = (why?: string) => {
        clearTimeout(timeout);
        this.#shell.off("close", ended);
        this.#onOutput = () => undefined;
        const output = this.#output.replace(ending, "").trim();
        if (why === undefined) resolve(output);
        else reject(new CommandError(`${commands.trim()}\n${why}\n${output}`));
      };
      const ended = (status: number | null) => settle(`ended with ${status}:`);
      const timeout = setTimeout(() => settle("has not ended in time:"), TIMEOUT_MS);
      this.#shell.once("close", ended);
      this.#onOutput = () => {
        const status = ending.exec(this.#output)?.[1];
        if (status === undefined) return;
        const isExpected = code === "any" || Number(status) === code;
        settle(isExpected ? undefined : `ended with ${status}, not ${code}:`);
      };
      this.#shell.stdin?.write(`{\n${commands}\n} </dev/null\necho ${marker} $?\n`);
    });
  }

  /** Starts a command that runs until it is stopped, in a new terminal with the variables of this one. */
  async start(name: string, command: string): Promise<StartedProgram> {
    const variables = (await this.run("env -0")).split("\0").filter((entry) => entry.includes("="));
    const environment = Object.fromEntries(
      variables.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
    );
    return new StartedProgram({
      name,
      // In the place of the shell, so that its signals reach the command.
      command: ["/bin/sh", "-c", `exec env ${command}`],
      folder: this.#folder,
      environment,
      isAlone: true,
      isInTerminal: true,
    });
  }

  close(): void {
    this.#shell.stdin?.end();
  }
}
