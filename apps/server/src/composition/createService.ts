import { localEncryptionKeys } from "../config/localEncryptionKey.ts";
import type { Settings } from "../config/settings.ts";
import type { EncryptionKeys } from "../config/values.ts";
import type { Service } from "../modules/service.ts";
import { MovableClock, SystemClock } from "../platform/clock.ts";
import { ProviderBreakers } from "../providers/breakers.ts";
import { providerAdapter } from "../providers/registry/registry.ts";
import { createTaskQueue } from "../worker/taskQueue.ts";
import type { Connections } from "./connections.ts";

export function createService(
  settings: Settings,
  { database, reads }: Pick<Connections, "database" | "reads">,
  parts: Pick<Service, "logger" | "telemetry" | "secretBox">,
): Service {
  const { pool, prisma } = database;
  const clock = settings.movableClock ? new MovableClock(reads.pool) : new SystemClock(reads.pool);
  return {
    mode: settings.mode,
    connectHost: settings.publicUrl,
    adminHost: settings.adminUrl,
    trustedProxies: settings.trustedProxies,
    previewOriginTemplate: settings.previewOriginTemplate,
    issuer: settings.issuer,
    pool,
    prisma,
    reads,
    hotReads: reads.hotReads,
    clock,
    jitter: settings.jitter === null ? Math.random : () => settings.jitter ?? 0,
    ...parts,
    queue: createTaskQueue(pool, clock),
    provider: providerAdapter,
    breakers: new ProviderBreakers({ clock, logger: parts.logger }),
  };
}

export async function encryptionKeysOf(settings: Settings): Promise<EncryptionKeys> {
  const { encryptionKeys: keys, lostEncryptionKeyIds: lostIds, dataFolder } = settings;
  return keys.length > 0 ? { keys, lostIds } : localEncryptionKeys(dataFolder);
}
