import { randomFor } from "../../../packages/provider-fixtures/src/index.ts";

export type SeededRandom = ReturnType<typeof sequenceRandom>;

/** Random choices that follow from a seed, so that a run can be repeated. */
export function sequenceRandom(seed: string) {
  const { fraction, ...random } = randomFor(seed);
  /** One of these by its weight; an entry of weight 0 is never picked. */
  const weightedEntry = <Value>(entries: readonly (readonly [weight: number, value: Value])[]): Value => {
    let left = fraction() * entries.reduce((sum, [weight]) => sum + weight, 0);
    const found = entries.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    if (found === undefined) throw new Error("No entry has a weight.");
    return found[1];
  };
  return {
    ...random,
    weightedEntry,
    /** One of the names by its weight. */
    weighted: <Name extends string>(weights: Readonly<Record<Name, number>>): Name =>
      weightedEntry(Object.entries<number>(weights).map(([name, weight]) => [weight, name as Name])),
    /** A non-empty selection in the order of the list. */
    some: <Value>(list: readonly Value[]): Value[] => {
      const picked = list.filter(() => random.chance(0.5));
      return picked.length > 0 ? picked : [random.pick(list)];
    },
  };
}
