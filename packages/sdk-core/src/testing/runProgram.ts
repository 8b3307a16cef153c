import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The flags with which Node runs the sources of the workspace. */
export const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

export function startProgram(program: URL, argv: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [...FLAGS, fileURLToPath(program), ...argv], {
    stdio: ["pipe", "pipe", "pipe"],
    env,
  });
  const errors = text(child.stderr);
  const end = async () => {
    const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
    return { output, errors: await errors, exitCode: child.exitCode };
  };
  return { child, errors, end };
}

/** Runs a program in its own process and returns its output; throws with its standard error when it fails. */
export async function runProgram(
  program: URL,
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const { child, end } = startProgram(program, [], { ...process.env, NODE_OPTIONS: "", ...env });
  child.stdin.end(input);
  const { output, errors, exitCode } = await end();
  if (exitCode !== 0 || errors !== "") throw new Error(`The program ended with ${exitCode}: ${errors}`);
  return output;
}
