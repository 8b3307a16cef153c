import type { Database } from "../../../apps/server/src/platform/database.ts";
import type { SecretBox } from "../../../apps/server/src/platform/secretBox.ts";
import type { Client } from "../client.ts";
import type { Facts } from "../facts.ts";

/** What the checks read, and where they report violations. */
export interface CheckContext {
  readonly client: Client;
  readonly facts: Facts;
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly simulatorUrl: string;
  /** How many days the clock has been moved on. */
  readonly day: number;
  readonly violate: (rule: string, detail: string) => void;
}
