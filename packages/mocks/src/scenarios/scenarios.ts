import { ADMINISTRATION } from "./administration.ts";
import { CONNECTING } from "./connecting.ts";
import { CONNECTIONS } from "./connections.ts";
import { CONTENT } from "./content.ts";
import { FAILURES } from "./failures.ts";

/** All scenarios. Together they show every enum value and code of the contract, including the admin API. */
export const SCENARIOS = { ...CONNECTING, ...CONNECTIONS, ...CONTENT, ...FAILURES, ...ADMINISTRATION } as const;

/** Name of a scenario. */
export type ScenarioName = keyof typeof SCENARIOS;

/** Facts of a scenario for a test: ids, windows, tokens. */
export type ScenarioFacts<Name extends ScenarioName = ScenarioName> = Awaited<
  ReturnType<(typeof SCENARIOS)[Name]["prepare"]>
>;

/** Names of all scenarios. */
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[];
