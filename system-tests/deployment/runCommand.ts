import { type Command, SERVICE_COMMAND, startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
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
  const program = startProgram({
    ...{ name: parameters.join(" "), command: [...command, ...parameters], isAlone: true },
    environment: { ...INHERITED_ENVIRONMENT, DATABASE_URL: url, DATABASE_TLS: "off" },
    onLine: (line) => {
      console.log(`  ${line}`);
      if (killAt?.test(line) === true) program.child.kill("SIGKILL");
    },
  });
  await program.untilEnded();
  return program.child.exitCode;
}
