import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Shorter than the test timeout, so that the program's output can be reported. */
const HANGS_AFTER_MS = 160_000;

/** Options that let Node load this workspace's packages from source. */
export const FROM_SOURCE = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

export const RECIPES = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a Node program in the folder of the recipes, and gives what it printed and how it ended. */
export function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      // A nested runner must not count as part of the outer one. Playwright stops its servers only on SIGINT.
      { cwd: RECIPES, timeout: HANGS_AFTER_MS, killSignal: "SIGINT", env: { ...withoutRunner(process.env), ...env } },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode, output: `${stdout}${stderr}` }),
    );
  });
}

function withoutRunner(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isRunners = (name: string) => /^(VITEST|JEST|NODE_TEST|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isRunners(name)));
}
