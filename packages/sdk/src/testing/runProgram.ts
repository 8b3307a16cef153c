import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

/** Runs a program of this package in its own process; throws with its standard error when it fails. */
export async function runProgram(
  program: URL,
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const child = spawn(process.execPath, [...FLAGS, fileURLToPath(program)], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "", ...env },
  });
  child.stdin.end(input);
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code !== 0 || complaints !== "") throw new Error(`The program ended with ${code}: ${complaints}`);
  return output;
}
