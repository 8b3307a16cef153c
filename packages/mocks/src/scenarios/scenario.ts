import type { ScenarioBuilder } from "./builder.ts";

/** A named initial state for tests. */
export interface Scenario<Facts> {
  /** A sentence about the state. */
  readonly summary: string;
  /** Values of the contract that are observable in it, e.g. `ConnectionStatus.CONNECTED` or `code.RATE_LIMITED`. */
  readonly reaches: readonly string[];
  /** Operations that return these values or fail with these codes. */
  readonly seenBy: readonly string[];
  /** Prepares a new mock and returns the ids and windows for a test. */
  readonly prepare: (builder: ScenarioBuilder) => Facts | Promise<Facts>;
}

/** A scenario whose values are given by what they are values of. */
interface Definition<Facts> extends Omit<Scenario<Facts>, "reaches"> {
  readonly reaches: Readonly<Record<string, readonly string[]>>;
}

export function scenario<Facts>({ reaches, ...rest }: Definition<Facts>): Scenario<Facts> {
  const named = Object.entries(reaches).flatMap(([kind, values]) => values.map((value) => `${kind}.${value}`));
  return { ...rest, reaches: named };
}
