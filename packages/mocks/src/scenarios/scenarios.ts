import { ADMINISTRATION } from "./administration.ts";
import { CONNECTING } from "./connecting.ts";
import { CONNECTIONS } from "./connections.ts";
import { CONTENT } from "./content.ts";
import { TROUBLE } from "./failures.ts";

/** Every named starting point. Together they show each value of the contract's enumerations and each of its codes, those of the admin API included. */
export const SCENARIOS = { ...CONNECTING, ...CONNECTIONS, ...CONTENT, ...TROUBLE, ...ADMINISTRATION } as const;

/** Name of a scenario. */
export type ScenarioName = keyof typeof SCENARIOS;

/** What a test is given of a scenario: ids, windows, tokens. */
export type ScenarioFacts<Name extends ScenarioName = ScenarioName> = Awaited<
  ReturnType<(typeof SCENARIOS)[Name]["prepare"]>
>;

/** Names of all scenarios, in the order of the guide. */
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[];
