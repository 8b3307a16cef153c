interface Holding {
  readonly holds: readonly string[];
}

/**
 * Runs so many cases concurrently, and never two with the same lock. A case acquires all its locks together, so there
 * is no deadlock.
 */
export async function runWithHolds<Work extends Holding>(
  work: readonly Work[],
  parallel: number,
  run: (one: Work) => Promise<void>,
): Promise<void> {
  const waiting = [...work];
  const held = new Set<string>();
  let running = 0;
  await new Promise<void>((resolve, reject) => {
    const startMore = () => {
      while (running < parallel) {
        const at = waiting.findIndex((one) => one.holds.every((name) => !held.has(name)));
        const [one] = at < 0 ? [] : waiting.splice(at, 1);
        if (one === undefined) break;
        running += 1;
        for (const name of one.holds) held.add(name);
        run(one).then(() => {
          running -= 1;
          for (const name of one.holds) held.delete(name);
          startMore();
        }, reject);
      }
      if (running === 0 && waiting.length === 0) resolve();
    };
    startMore();
  });
}
