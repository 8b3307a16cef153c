import { localEncryptionKeys } from "../config/localEncryptionKey.ts";
import type { Settings } from "../config/settings.ts";
import type { EncryptionKeys } from "../config/values.ts";
import { makeService } from "../modules/makeService.ts";
import type { Service } from "../modules/service.ts";
import { MovableClock, SystemClock } from "../platform/time/clock.ts";
import { providerAdapter } from "../providers/registry/registry.ts";
import { createTaskQueue } from "../worker/taskQueue.ts";
import type { Connections } from "./connections.ts";

/** A service of a process or a command, on the clock and the queue of its database. */
export function createService(
  settings: Settings,
  { database, reads }: Pick<Connections, "database" | "reads">,
  parts: Pick<Service, "logger" | "telemetry" | "secretBox">,
): Service {
  const clock = settings.movableClock ? new MovableClock(reads.pool) : new SystemClock(reads.pool);
  const queue = createTaskQueue(database.pool, clock);
  return makeService(settings, { ...parts, database, reads, clock, queue, provider: providerAdapter });
}

export async function encryptionKeysOf(settings: Settings): Promise<EncryptionKeys> {
  const { encryptionKeys: keys, lostEncryptionKeyIds: lostIds, dataFolder } = settings;
  return keys.length > 0 ? { keys, lostIds } : localEncryptionKeys(dataFolder);
}
