import { readdir, readFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** The machine and its load, because results depend on both. */
export function describeMachine(): string {
  const processor = cpus()[0]?.model.trim() || "unknown processor";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} cores (${processor}), ${memory}, Node ${process.versions.node}, load ${load}\n`;
}

/** The head of a table of Markdown. */
export function printHead(...titles: readonly string[]): void {
  console.log(`| ${titles.join(" | ")} |\n| --- |${" --: |".repeat(titles.length - 1)}`);
}

export function printRow(...cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

/** A bound of a benchmark, and whether it was met. */
export interface Check {
  readonly name: string;
  readonly isMet: boolean;
}

/** Prints each check. True if all are met. */
export function reportChecks(checks: readonly Check[]): boolean {
  for (const { name, isMet } of checks) console.log(`${isMet ? "met   " : "MISSED"} ${name}`);
  return checks.every(({ isMet }) => isMet);
}

/** The median; the upper of two. NaN without numbers. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.floor(share * numbers.length), numbers.length - 1)] ?? Number.NaN;
}

/** CPU time that a process and its threads have taken so far, in milliseconds; NaN where there is no /proc. */
export async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => null);
  if (threads === null) return Number.NaN;
  const times = await Promise.all(threads.map((thread) => nanosecondsOf(`/proc/${pid}/task/${thread}/schedstat`)));
  return times.reduce((sum, ns) => sum + ns, 0) / 1_000_000;
}

/** The same for each process of a database server that serves a connection. */
export function cpuMsOfDatabase(backends: readonly number[]): Promise<number[]> {
  return Promise.all(backends.map(async (pid) => (await nanosecondsOf(`/proc/${pid}/schedstat`)) / 1_000_000));
}

/** The first number of schedstat: time on a processor. A thread that has ended counts nothing. */
async function nanosecondsOf(path: string): Promise<number> {
  const text = await readFile(path, "utf8").catch(() => "0");
  return Number(text.split(" ", 1)[0]);
}
