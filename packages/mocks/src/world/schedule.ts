import type { ScheduledTask } from "../state/state.ts";

export const SWEEP_EVERY_MS = 3_600_000;

/** Adds a task to a schedule, which is ordered by time and then by the order of scheduling. */
export function addTask(schedule: ScheduledTask[], task: ScheduledTask): void {
  schedule.splice(schedule.findLastIndex(({ atMs }) => atMs <= task.atMs) + 1, 0, task);
}

/** Work that takes time: each yielded number is a wait in milliseconds. */
export type TimedWork<Result> = Generator<number, Result, void>;

/** Runs the work and waits by the mock's clock. */
export async function runInTime<Result>(
  world: { sleep(durationMs: number): Promise<void> },
  work: TimedWork<Result>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await world.sleep(step.value);
  }
}

export function runImmediately<Result>(work: TimedWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
