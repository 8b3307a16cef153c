import type { World } from "./world.ts";

/** Work that takes time: each yielded number is a wait in milliseconds. */
export type TimedWork<Result> = Generator<number, Result, void>;

/** Runs the work and waits by the mock's clock. */
export async function runInTime<Result>(world: World, work: TimedWork<Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await world.sleep(step.value);
  }
}

/** Runs the work without waiting. */
export function runImmediately<Result>(work: TimedWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
