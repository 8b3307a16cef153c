import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface EndedCommand {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type RunningCommand = ReturnType<typeof watchOutput>;

/** Collects what a child process writes. */
export function watchOutput(child: ChildProcess, onOutput: (stdout: string) => void = () => undefined) {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      onOutput(output.stdout);
    });
  }
  const ended = once(child, "close").then((): EndedCommand => {
    return { exitCode: child.exitCode, stdout: output.stdout.trim(), stderr: output.stderr.trim() };
  });
  return { output, ended };
}
