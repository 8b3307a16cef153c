import type { Deployment } from "../deployment/deployment.ts";
import type { Client } from "./client.ts";
import type { Journal } from "./journal.ts";
import type { Known } from "./known.ts";

/** What journeys and checks use, and where they report violations. */
export interface RunContext extends Pick<Deployment, "database" | "provider" | "simulatorUrl"> {
  readonly seed: string;
  readonly client: Client;
  readonly known: Known;
  readonly journal: Journal;
  readonly encryptionKeys: string;
  /** The service's client at the providers. */
  readonly clientId: string;
  /** How many days the clock has been moved on so far. */
  day: number;
  readonly violate: (rule: string, detail: string) => void;
}
