import type { Database } from "../../apps/server/src/platform/database.ts";
import type { SecretBox } from "../../apps/server/src/platform/secretBox.ts";
import type { Client } from "./client.ts";
import type { Facts, Scope } from "./facts.ts";
import type { Journal } from "./journal.ts";

/** What journeys and checks use, and where they report violations. */
export interface RunContext {
  readonly seed: string;
  readonly client: Client;
  readonly facts: Facts;
  readonly journal: Journal;
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly simulatorUrl: string;
  /** Ids of the two applications, as the admin API knows them. */
  readonly applicationIds: Readonly<Record<Scope["application"], string>>;
  /** How many days the clock has been moved on so far. */
  day: number;
  readonly violate: (rule: string, detail: string) => void;
}
