import type { Client } from "../client.ts";
import type { Facts, Scope } from "../facts.ts";
import type { Journal } from "../journal.ts";

export interface JourneyContext {
  readonly seed: string;
  readonly client: Client;
  readonly facts: Facts;
  readonly journal: Journal;
  readonly simulatorUrl: string;
  /** Ids of the two applications, as the admin API knows them. */
  readonly applicationIds: Readonly<Record<Scope["application"], string>>;
  /** How many days the clock has been moved on so far. */
  readonly day: () => number;
  readonly violate: (rule: string, detail: string) => void;
}
