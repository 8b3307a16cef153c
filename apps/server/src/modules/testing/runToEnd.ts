import type { Service } from "../service.ts";
import { BATCH_SIZE, type Sweep } from "../sweeps/sweep.ts";

/** Runs sweeps one after another until nothing is due. Returns the rows that each handled, by its name. */
export async function runToEnd(service: Service, sweeps: readonly Sweep[]): Promise<Readonly<Record<string, number>>> {
  const now = await service.clock.now();
  const counts: Record<string, number> = {};
  for (const { name, batchSize = BATCH_SIZE, begin } of sweeps) {
    const run = begin(service, now);
    counts[name] = 0;
    for (let isLast = false; !isLast; ) {
      const batch = await run.batch(batchSize);
      counts[name] += batch.handled;
      isLast = batch.isLast;
    }
  }
  return counts;
}
