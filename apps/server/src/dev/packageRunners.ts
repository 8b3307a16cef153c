import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { identifyProcess, isStillRunning, type ProcessIdentity } from "../platform/process/processIdentity.ts";

const POLL_INTERVAL_MS = 500;
const RUNNER_PROGRAM = /^(?:npm|npx|pnpm)$/;
const RUNNER_SCRIPT = /\b(?:npm|npx|pnpm)(?:-cli)?(?:\.[cm]?js)?$/;
const SHELL_PROGRAM = /^(?:sh|bash|dash|zsh)$/;

/**
 * Calls back when a package runner above this process has ended. `npx pnpm dev` is a chain of five processes, and
 * stopping the first should stop all: but npm passes a SIGTERM only to its own child.
 *
 * @returns stops watching
 */
export async function watchPackageRunners(onGone: () => void): Promise<() => void> {
  const runners = await findPackageRunners(process.ppid);
  const look = async () => {
    const alive = await Promise.all(runners.map((runner) => isStillRunning(runner)));
    if (!alive.every(Boolean)) {
      clearInterval(timer);
      onGone();
    }
  };
  const timer = setInterval(() => void look(), POLL_INTERVAL_MS);
  timer.unref();
  if (runners.length === 0) clearInterval(timer);
  return () => clearInterval(timer);
}

/** The unbroken chain of runners, and of the shells between them, above a process; without the terminal's shell. */
export async function findPackageRunners(pid: number): Promise<ProcessIdentity[]> {
  const chain: { readonly identity: ProcessIdentity; readonly isRunner: boolean }[] = [];
  for (let next = pid; next > 1; ) {
    const [identity, about] = await Promise.all([identifyProcess(next), describeProcess(next)]);
    if (identity === null || about === null) break;
    const isRunner = isPackageRunner(about.command);
    if (!isRunner && !SHELL_PROGRAM.test(programOf(about.command))) break;
    chain.push({ identity, isRunner });
    next = about.parent;
  }
  const last = chain.findLastIndex(({ isRunner }) => isRunner);
  return chain.slice(0, last + 1).map(({ identity }) => identity);
}

/** `npm exec …`, `npx …` and `pnpm …`, as process title or as the script that node runs. */
function isPackageRunner(command: string): boolean {
  const [program = "", script = ""] = command.split(/\s+/, 2);
  return RUNNER_PROGRAM.test(programOf(command)) || (program.includes("node") && RUNNER_SCRIPT.test(script));
}

function programOf(command: string): string {
  const [program = ""] = command.split(/\s/, 1);
  return program.slice(program.lastIndexOf("/") + 1);
}

async function describeProcess(pid: number): Promise<{ readonly parent: number; readonly command: string } | null> {
  try {
    if (process.platform === "linux") {
      const [status, command] = await Promise.all([
        readFile(`/proc/${pid}/stat`, "utf8"),
        readFile(`/proc/${pid}/cmdline`, "utf8"),
      ]);
      const parent = status.slice(status.lastIndexOf(")") + 2).split(" ")[1];
      return { parent: Number(parent), command: command.replaceAll("\0", " ").trim() };
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "ppid=,command=", "-p", String(pid)]);
    const [, parent, command] = /^[ \t]*(\d+)[ \t]+(\S.*)$/m.exec(stdout) ?? [];
    return parent === undefined || command === undefined ? null : { parent: Number(parent), command };
  } catch {
    return null;
  }
}
