import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND_LINE, type Environment, type RunningCommand, watchOutput } from "../../cli/testing/commandLine.ts";

const DOCS = fileURLToPath(new URL("../../../../../docs/", import.meta.url));

/** The command lines of a section of a page, in its order. Skips commands with a placeholder. */
export async function commandsOf(page: string, heading: string): Promise<string[]> {
  const text = await readFile(join(DOCS, page), "utf8");
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no section ${heading}`);
  return [...section.matchAll(/^ {4,}(social-connect .+)$|`(social-connect [^`<]+)`/gm)].map(
    ([, block, inline]) => block ?? inline ?? "",
  );
}

/** Runs a command line of a page in a shell, in a folder, as an operator who has installed the package. */
export async function startCommandLine(
  line: string,
  folder: string,
  environment: Environment,
): Promise<RunningCommand> {
  const quoted = COMMAND_LINE.map((part) => `'${part}'`).join(" ");
  await writeFile(join(folder, "social-connect"), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  const child = spawn("/bin/sh", ["-c", line], {
    cwd: folder,
    env: { PATH: `${folder}${delimiter}${process.env.PATH}`, LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return watchOutput(child);
}
