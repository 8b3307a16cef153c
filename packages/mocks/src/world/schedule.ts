import type { ScheduledTask } from "../state/state.ts";

export const SWEEP_EVERY_MS = 3_600_000;

/** Adds a task to a binary heap, which is ordered by time and then by the order of scheduling. */
export function pushTask(schedule: ScheduledTask[], entry: ScheduledTask): void {
  schedule.push(entry);
  let at = schedule.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!swapUnlessInOrder(schedule, parent, at)) return;
    at = parent;
  }
}

export function popTask(schedule: ScheduledTask[]): ScheduledTask | undefined {
  const [first] = schedule;
  const last = schedule.pop();
  if (first === undefined || last === undefined || schedule.length === 0) return first;
  schedule[0] = last;
  let at = 0;
  for (;;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const smaller = comesBefore(schedule[right], schedule[left]) ? right : left;
    if (smaller >= schedule.length || !swapUnlessInOrder(schedule, at, smaller)) return first;
    at = smaller;
  }
}

function swapUnlessInOrder(schedule: ScheduledTask[], parent: number, child: number): boolean {
  const [above, below] = [schedule[parent], schedule[child]];
  if (above === undefined || below === undefined || !comesBefore(below, above)) return false;
  schedule[parent] = below;
  schedule[child] = above;
  return true;
}

function comesBefore(one: ScheduledTask | undefined, other: ScheduledTask | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs;
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
