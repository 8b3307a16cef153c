import { setTimeout as delay } from "node:timers/promises";

/** Users repeat what they do while the work runs, and finish what they have begun. One who fails ends the work too. */
export async function whileRepeating<Result>(
  users: readonly (() => Promise<unknown>)[],
  work: () => Promise<Result>,
  pauseMs = 0,
): Promise<Result> {
  const ended = new AbortController();
  const running = Promise.all(
    users.map(async (act) => {
      for (; !ended.signal.aborted; await delay(pauseMs)) await act();
    }),
  );
  try {
    return await Promise.race([work(), running.then(() => new Promise<never>(() => undefined))]);
  } finally {
    ended.abort();
    await running;
  }
}
