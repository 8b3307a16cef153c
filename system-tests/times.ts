import fc from "fast-check";

/** A choice for `fc.oneof`, and how often it is chosen. */
export interface Weighted<Value> {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Value>;
}

export const times = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>): Weighted<Value> => ({
  weight,
  arbitrary,
});

/** One of the names by its weight. */
export function weighted<Name extends string>(weights: Readonly<Record<Name, number>>): fc.Arbitrary<Name> {
  return fc.oneof(...Object.entries<number>(weights).map(([name, weight]) => times(weight, fc.constant(name as Name))));
}

/** In so many of a hundred cases. */
export function rarely<Value>(percent: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof<Weighted<Value | undefined>[]>(
    times(100 - percent, fc.constant(undefined)),
    times(percent, arbitrary),
  );
}
