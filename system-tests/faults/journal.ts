import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";

/** The content of one log line. */
type Entry = "seed" | "round" | "fault" | "process" | "call" | "browser" | "step" | "check" | "violation" | "end";

/**
 * The log of a run, one JSON object a line: when (seconds since the start), what, and the facts. Ids, states and codes
 * only: no token, launch token or key is written.
 */
export class Journal {
  readonly path: string;
  readonly #stream: WriteStream;
  readonly #startMs = performance.now();

  constructor(folder: string) {
    this.path = join(folder, "faults.ndjson");
    this.#stream = createWriteStream(this.path, { mode: 0o600 });
  }

  write(entry: Entry, facts: Readonly<Record<string, unknown>>): void {
    const at = ((performance.now() - this.#startMs) / 1_000).toFixed(3);
    this.#stream.write(`${JSON.stringify({ at: Number(at), entry, ...facts })}\n`);
  }

  async close(): Promise<void> {
    this.#stream.end();
    if (!this.#stream.closed) await once(this.#stream, "close");
  }
}
