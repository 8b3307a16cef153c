import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

/** Identifies a process by more than its number, which the system reuses: number and start time. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** null when no such process runs. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | null> {
  const startedAt = await startOf(pid);
  return startedAt === null ? null : { pid, startedAt };
}

export async function isStillRunning(identity: ProcessIdentity): Promise<boolean> {
  return (await startOf(identity.pid)) === identity.startedAt;
}

/** A detached process sends no event when it ends. */
const CHECK_EVERY_MS = 250;

export async function endOfDetached(pid: number): Promise<string> {
  const identity = await identifyProcess(pid);
  while (identity !== null && (await isStillRunning(identity)))
    await setTimeout(CHECK_EVERY_MS, undefined, { ref: false });
  return "it ended";
}

async function startOf(pid: number): Promise<string | null> {
  try {
    if (process.platform === "linux") {
      const [status, boot] = await Promise.all([
        readFile(`/proc/${pid}/stat`, "utf8"),
        readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      ]);
      // proc(5): after the command's name, which may contain anything, come the state and, 19 fields later, the start
      // in ticks.
      const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? null : `${boot.trim()}/${fields[19]}`;
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
