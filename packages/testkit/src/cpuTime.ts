/** What a piece of work costs this process, not how long the machine took over it. */

const TRIES = 10;

/**
 * The least CPU time of several runs, in milliseconds. It stops at the first run below `enoughMs`. Garbage collection
 * and other processes can slow down single runs.
 */
export function leastCpuMs(run: () => unknown, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least >= enoughMs; tries += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** The same of work that waits in between; it has to be the only work of the process. */
export async function leastCpuMsOf(run: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least >= enoughMs; tries += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
