import { appendFileSync } from "node:fs";
import { join } from "node:path";

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
