import { readdir, readFile } from "node:fs/promises";

/** CPU time that a process and its threads have taken so far, in milliseconds; NaN where there is no /proc. */
export async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => null);
  if (threads === null) return Number.NaN;
  const times = await Promise.all(threads.map((thread) => nanosecondsOf(`/proc/${pid}/task/${thread}/schedstat`)));
  return times.reduce((sum, ns) => sum + ns, 0) / 1_000_000;
}

/** The same for a database server: of the processes that serve connections. */
export async function cpuMsOfDatabase(backends: readonly number[]): Promise<number> {
  const times = await Promise.all(backends.map((pid) => nanosecondsOf(`/proc/${pid}/schedstat`)));
  return times.reduce((sum, ns) => sum + ns, 0) / 1_000_000;
}

/** The first number of schedstat: time on a processor. A thread that has ended counts nothing. */
async function nanosecondsOf(path: string): Promise<number> {
  const text = await readFile(path, "utf8").catch(() => "0");
  return Number(text.split(" ", 1)[0]);
}
