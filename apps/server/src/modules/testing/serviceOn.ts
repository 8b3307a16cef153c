import { randomBytes } from "node:crypto";
import { readSettings } from "../../config/settings.ts";
import type { Database } from "../../platform/database/database.ts";
import { createLogger } from "../../platform/log/logger.ts";
import { NO_TELEMETRY } from "../../platform/log/telemetry.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox } from "../../platform/secrets/secretBox.ts";
import { SystemClock } from "../../platform/time/clock.ts";
import { makeService, type ServiceParts } from "../makeService.ts";
import type { Service, TaskName, TaskQueue } from "../service.ts";

export interface EnqueuedTask {
  readonly task: TaskName;
  readonly payload: { readonly id: string };
  readonly startAfter: Date | null;
}

/**
 * A service on a database, with the default settings but for a template of preview origins, for tests of one part and for
 * benchmarks. What they do not pass does nothing: its queue forgets tasks, and it has no provider.
 */
export function serviceOn(database: Database, parts: Partial<ServiceParts> = {}): Service {
  const settings = readSettings({ PREVIEW_ORIGIN_TEMPLATE: "https://{label}.preview.example.app" });
  return makeService(settings, {
    database,
    reads: database,
    clock: new SystemClock(database.pool),
    logger: createLogger({ level: "silent", role: "test" }),
    telemetry: NO_TELEMETRY,
    secretBox: createSecretBox([{ id: "test", key: new Secret(randomBytes(32).toString("base64")) }]),
    queue: queueInto([]),
    provider: (provider) => {
      throw new Error(`This service has no adapter of ${provider}: pass one.`);
    },
    ...parts,
  });
}

/** A queue that only records tasks. */
export function queueInto(enqueued: EnqueuedTask[]): TaskQueue {
  return {
    enqueueAll: async (_transaction, tasks) => {
      for (const { task, id, startAfter = null } of tasks) enqueued.push({ task, payload: { id }, startAfter });
    },
    findDeliveries: async () => new Set(),
    hasDeliveries: async () => false,
    enqueue: async (_transaction, task, { id }, options) => {
      enqueued.push({ task, payload: { id }, startAfter: options?.startAfter ?? null });
    },
  };
}
