import type { Step } from "./generate/steps.ts";
import { type Pair, runSequence, type StepDifference, StepError } from "./runSequence.ts";

export interface Shrunk {
  readonly steps: readonly Step[];
  readonly difference: StepDifference;
}

/**
 * Removes steps that a difference does not need: halves first, then smaller parts, within a time limit (delta
 * debugging). A difference is the same if it occurs at the same kind of step and the same place of the response.
 */
export async function shrink(
  pair: Pair,
  steps: readonly Step[],
  difference: StepDifference,
  forMs: number,
): Promise<Shrunk> {
  const endMs = performance.now() + forMs;
  let smallest: Shrunk = { steps, difference };
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = smallest.steps.length - 1; end > 0; end -= size) {
      if (performance.now() > endMs) return smallest;
      const begin = Math.max(0, end - size);
      const fewer = [...smallest.steps.slice(0, begin), ...smallest.steps.slice(end)];
      const found = await differenceOf(pair, fewer);
      if (found !== null && isSame(found.difference, difference)) smallest = found;
    }
  }
  return smallest;
}

async function differenceOf(pair: Pair, steps: readonly Step[]): Promise<Shrunk | null> {
  try {
    const { difference, made } = await runSequence(pair, steps);
    return difference && { steps: steps.slice(0, made), difference };
  } catch (error) {
    if (error instanceof StepError) return null;
    throw error;
  }
}

function isSame(one: StepDifference, other: StepDifference): boolean {
  const placeOf = ({ differences: [first] }: StepDifference) => first?.path.replaceAll(/\d+/g, "#");
  return one.step.do === other.step.do && placeOf(one) === placeOf(other);
}
