import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  cleanEnvironment,
  type Environment,
  StartedProgram,
} from "../../packages/testkit/src/harness/startedProgram.ts";
import { CommandError } from "../packages/commands.ts";

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
    this.#shell = spawn("/bin/sh", ["-e"], { cwd: folder, env: cleanEnvironment(environment), stdio: "pipe" });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        this.#output += chunk;
        this.#onOutput();
      });
    }
  }

  /** Runs commands and gives what they print. The first that fails ends the shell, unless the last ends with `code`. */
  run(commands: string, { code = 0 }: { readonly code?: number } = {}): Promise<string> {
    const marker = `end of ${randomUUID()}`;
    this.#output = "";
    return new Promise((resolve, reject) => {
      const settle = (why?: string) => {
        clearTimeout(timeout);
        this.#shell.off("close", ended);
        this.#onOutput = () => undefined;
        const output = this.#output.replace(`${marker}\n`, "").trim();
        if (why === undefined) resolve(output);
        else reject(new CommandError(`${commands.trim()}\n${why}\n${output}`));
      };
      const ended = (status: number | null) => settle(`ended with ${status}:`);
      const timeout = setTimeout(() => settle("has not ended in time:"), TIMEOUT_MS);
      this.#shell.once("close", ended);
      this.#onOutput = () => {
        if (this.#output.includes(`${marker}\n`)) settle();
      };
      const expected = code === 0 ? "" : ` || [ $? = ${code} ]`;
      this.#shell.stdin?.write(`{\n${commands}\n} </dev/null${expected}\necho ${marker}\n`);
    });
  }

  /** Starts a command that runs until it is stopped, in a new terminal with the variables of this one. */
  async start(name: string, command: string, onLine: (line: string) => void): Promise<StartedProgram> {
    const variables = (await this.run("env -0")).split("\0").filter((entry) => entry.includes("="));
    const environment = Object.fromEntries(
      variables.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
    );
    return new StartedProgram({
      name,
      command: ["/bin/sh", "-c", command],
      folder: this.#folder,
      environment,
      isAlone: true,
      isInTerminal: true,
      onLine,
    });
  }

  close(): void {
    this.#shell.stdin?.end();
  }
}
