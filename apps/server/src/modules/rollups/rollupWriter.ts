import { newId } from "../../platform/ids.ts";
import type { Service } from "../service.ts";
import type { RollupCounts } from "./rollupCounts.ts";
import { addBatch, type CountBatch, rowsOf } from "./store.ts";

const WRITE_EVERY_MS = 10_000;
/** While the database is unavailable, batches wait. Beyond this number, later events join the last batch. */
const MOST_BATCHES = 60;

export interface RollupWriter {
  /** Writes what was counted until now. For a shutdown and for tests. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Adds the counts of a process to the database every ten seconds and at its shutdown. A batch whose write failed is sent
 * again with the same number, and the database ignores it if the first one was committed.
 */
export function startRollupWriter(
  { pool, clock, logger }: Pick<Service, "pool" | "clock" | "logger">,
  counts: RollupCounts,
): RollupWriter {
  const writerId = newId();
  const waiting: CountBatch[] = [];
  let number = 0;
  let isStopped = false;
  let cancel = (): void => undefined;
  let running = Promise.resolve();

  async function writeWaiting(): Promise<void> {
    const at = await clock.now();
    if (waiting.length < MOST_BATCHES) {
      const taken = counts.take();
      if (taken.length > 0) {
        number += 1;
        waiting.push({ writerId, number, at, rows: rowsOf(taken, at) });
      }
    }
    for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
      await addBatch(pool, batch);
      waiting.shift();
    }
  }

  /** One at a time, so that batches arrive in order. */
  function write(): Promise<void> {
    running = running.then(writeWaiting).catch((error: unknown) => {
      logger.warn({ err: error }, "counts could not be written; the next write repeats them");
    });
    return running;
  }

  function schedule(): void {
    if (isStopped) return;
    cancel = clock.after(WRITE_EVERY_MS, () => void write().then(schedule));
  }

  schedule();
  return {
    write,
    stop: () => {
      isStopped = true;
      cancel();
      return write();
    },
  };
}
