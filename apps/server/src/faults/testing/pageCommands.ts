import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { SERVICE_COMMAND } from "../../../../../packages/testkit/src/harness/startedProgram.ts";
import { type RunningCommand, watchOutput } from "../../../../../packages/testkit/src/harness/watchOutput.ts";
import type { Environment } from "../../cli/testing/commandLine.ts";

/** Runs a command line of a page in a shell, in a folder, as an operator who has installed the package. */
export async function startCommandLine(
  line: string,
  folder: string,
  environment: Environment,
): Promise<RunningCommand> {
  const quoted = SERVICE_COMMAND.map((part) => `'${part}'`).join(" ");
  await writeFile(join(folder, "social-connect"), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  const child = spawn("/bin/sh", ["-c", line], {
    cwd: folder,
    env: {
      ...INHERITED_ENVIRONMENT,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      LOG_LEVEL: "warn",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return watchOutput(child);
}
