export type FewAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Runs at most `limit` of what it is given at the same time, in order. */
export function fewAtATime(limit: number): FewAtATime {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
