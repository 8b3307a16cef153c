import type { ScenarioBuilder } from "./builder.ts";

/** A starting point that a test can name. */
export interface Scenario<Facts> {
  /** One sentence: how things stand. */
  readonly summary: string;
  /** Values of the contract that can be seen from here, e.g. `ConnectionStatus.CONNECTED` or `code.RATE_LIMITED`. */
  readonly reaches: readonly string[];
  /** Operations whose answers show them: reads of what the scenario gives, and what it has refused. */
  readonly seenBy: readonly string[];
  /** Brings a fresh mock there; gives the ids and windows that a test needs. */
  readonly prepare: (builder: ScenarioBuilder) => Facts | Promise<Facts>;
}

/** Says nothing; lets the compiler know what each scenario gives. */
export function scenario<Facts>(definition: Scenario<Facts>): Scenario<Facts> {
  return definition;
}
