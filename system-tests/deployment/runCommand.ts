import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Command, SERVICE_COMMAND } from "../../packages/testkit/src/harness/startedProgram.ts";
import { INHERITED_ENVIRONMENT } from "../../packages/testkit/src/inheritedEnvironment.ts";

interface CommandOptions {
  /** Kills it when it prints such a line. */
  readonly killAt?: RegExp;
  /** The command `social-connect`; from the source by default. */
  readonly command?: Command;
}

/** Runs a command of the service on a database until it ends. Returns the exit code. */
export async function runCommand(
  url: string,
  parameters: readonly string[],
  { killAt, command = SERVICE_COMMAND }: CommandOptions = {},
): Promise<number | null> {
  const [program, ...flags] = command;
  const env = { ...INHERITED_ENVIRONMENT, DATABASE_URL: url, DATABASE_TLS: "off" };
  const child = spawn(program, [...flags, ...parameters], { env, stdio: ["ignore", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(`  ${line}`);
    if (killAt?.test(line) === true) child.kill("SIGKILL");
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}
