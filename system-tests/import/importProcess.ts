import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Command, SERVICE_COMMAND, startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import type { Deployment } from "../deployment/deployment.ts";

const SAMPLE_MS = 100;
const BUILT = fileURLToPath(new URL("../../apps/server/dist/cli.js", import.meta.url));
/** The built program, whose memory is bounded: from its source, Node also holds the types that it strips. */
export const isBuilt = SWEEPS_ALL && existsSync(BUILT);
const COMMAND: Command = isBuilt ? [process.execPath, BUILT] : SERVICE_COMMAND;

/**
 * Runs `social-connect import` in the environment of a deployment; `isTime` says when the process is killed. `peakBytes`: the most memory
 * that it had resident, as the kernel counts it (VmHWM); 0 on other systems than Linux.
 */
export async function runImport(
  { environment }: Pick<Deployment, "environment">,
  parameters: readonly string[],
  { isTime, signal = "SIGKILL" }: { readonly isTime?: () => Promise<boolean>; readonly signal?: NodeJS.Signals } = {},
) {
  const lines: string[] = [];
  const program = startProgram({
    name: "import",
    command: [...COMMAND, "import", ...parameters],
    environment,
    isAlone: true,
    onLine: (line) => void lines.push(line),
  });
  const ended = program.untilEnded();
  let peakBytes = 0;
  let isSent = false;
  while (!program.hasEnded()) {
    peakBytes = Math.max(peakBytes, await readPeak(program.child.pid));
    if (!isSent && isTime !== undefined && (await isTime())) {
      isSent = true;
      program.child.kill(signal);
    }
    await Promise.race([ended, setTimeout(SAMPLE_MS)]);
  }
  await ended;
  return { exitCode: program.child.exitCode, output: lines.join("\n"), peakBytes };
}

async function readPeak(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
}
