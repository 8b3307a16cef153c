import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "../deployment/deployment.ts";
import type { Client } from "./client.ts";
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

/** The log of a run, one JSON object a line. Ids, states and codes only: no token, launch token or key is written. */
export class Journal {
  readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, "faults.ndjson");
  }

  write(entry: string, facts: object): void {
    const line = JSON.stringify({ at: new Date(), entry, ...facts });
    appendFileSync(this.path, `${line}\n`, { mode: 0o600 });
  }
}
