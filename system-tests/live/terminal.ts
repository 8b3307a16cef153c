import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cleanEnvironment, type Environment, startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { CommandError } from "../../tools/packages/commands.ts";

/** Ends a hang. */
const TIMEOUT_MS = 300_000;

export type Terminal = ReturnType<typeof openTerminal>;

/** A shell that keeps its folder and variables from one block of commands to the next, as a reader's terminal does. */
export function openTerminal(folder: string, environment: Environment) {
  let output = "";
  let onOutput: () => void = () => undefined;
  // As a reader's shell, it continues after a command that failed, if the page lets it.
  const shell = spawn("/bin/sh", [], { cwd: folder, env: cleanEnvironment(environment), stdio: "pipe" });
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      onOutput();
    });
  }

  /** Runs commands and gives what they print. They must end with `code`, as the last of them does. */
  const run = (commands: string, { code = 0 }: { readonly code?: number | "any" } = {}): Promise<string> => {
    const marker = `end of ${randomUUID()}`;
    const ending = new RegExp(`${marker} (\\d+)\n`);
    output = "";
    return new Promise((resolve, reject) => {
      const settle = (why?: string) => {
        clearTimeout(timeout);
        shell.off("close", ended);
        onOutput = () => undefined;
        const printed = output.replace(ending, "").trim();
        if (why === undefined) resolve(printed);
        else reject(new CommandError(`${commands.trim()}\n${why}\n${printed}`));
      };
      const ended = (status: number | null) => settle(`ended with ${status}:`);
      const timeout = setTimeout(() => settle("has not ended in time:"), TIMEOUT_MS);
      shell.once("close", ended);
      onOutput = () => {
        const status = ending.exec(output)?.[1];
        if (status === undefined) return;
        const isExpected = code === "any" || Number(status) === code;
        settle(isExpected ? undefined : `ended with ${status}, not ${code}:`);
      };
      shell.stdin.write(`{\n${commands}\n} </dev/null\necho ${marker} $?\n`);
    });
  };

  return {
    run,
    /** Starts a command that runs until it is stopped, in a new terminal with the variables of this one. */
    start: async (name: string, command: string) => {
      const entries = (await run("env -0")).split("\0").map((entry) => entry.split(/=(.*)/s));
      const variables = Object.fromEntries(entries.filter(({ length }) => length > 1));
      return startProgram({
        name,
        // In the place of the shell, so that its signals reach the command.
        command: ["/bin/sh", "-c", `exec env ${command}`],
        ...{ folder, environment: variables, isAlone: true, isInTerminal: true },
      });
    },
    close: () => void shell.stdin.end(),
  };
}
