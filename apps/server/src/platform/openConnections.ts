import { setTimeout } from "node:timers/promises";
import pg from "pg";

/** A server that is out of reach never says good-bye; nobody has to wait for it longer than this. */
const LONGEST_FAREWELL_MS = 2_000;

/**
 * Knows which database connections are open. The `end` of a pool settles once its connections have been told to close; a
 * database that is stopped at that moment still cuts them off, which is then reported as a fault (57P01) though all was in
 * order. So whoever stops the database, or drops it, waits for `closed`.
 */
export class OpenConnections {
  readonly #open = new Map<object, Promise<void>>();

  /** For the option `Client` of a pool: makes the connections that are watched. */
  readonly Client: new () => pg.Client;

  constructor() {
    const watch = (client: pg.Client) => {
      const closed = new Promise<void>((resolve) => client.once("end", resolve));
      this.#open.set(
        client,
        closed.then(() => void this.#open.delete(client)),
      );
    };
    this.Client = class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config);
        watch(this);
      }
    };
  }

  /** Settles when none is open any more. Call it after their pools have ended. */
  async closed(): Promise<void> {
    const tired = new AbortController();
    await Promise.race([
      Promise.all(this.#open.values()),
      setTimeout(LONGEST_FAREWELL_MS, undefined, { ref: false, signal: tired.signal }).catch(() => undefined),
    ]);
    tired.abort();
  }
}
