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

/** Infers the type of the scenario's facts. */
export function scenario<Facts>(definition: Scenario<Facts>): Scenario<Facts> {
  return definition;
}
