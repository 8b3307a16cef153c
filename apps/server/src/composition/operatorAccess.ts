import type { Settings } from "../config/settings.ts";
import type { EncryptionKeys } from "../config/values.ts";
import type { Service } from "../modules/service.ts";
import type { Database } from "../platform/database/database.ts";
import { pendingMigrations } from "../platform/database/migrations.ts";
import { createLogger } from "../platform/log/logger.ts";
import { NO_TELEMETRY } from "../platform/log/telemetry.ts";
import { readMode } from "../platform/process/deploymentMode.ts";
import { createSecretBox, LOCKED_BOX } from "../platform/secrets/secretBox.ts";
import { createService, encryptionKeysOf } from "./createService.ts";
import { requireDatabase, requireMigrated, withDatabase } from "./deploymentDatabase.ts";

const INSPECTION_MS = 10 * 60_000;

/** Opens the database of a deployment for inspection and closes it again. Applies no migration and starts no role. */
export async function inspect<T>(settings: Settings, look: (database: Database) => Promise<T>): Promise<T> {
  // An inspection reads whole tables.
  await requireDatabase(settings);
  const options = { poolSize: 1, applicationName: "social-connect inspect", statementTimeoutMs: INSPECTION_MS };
  return withDatabase(settings, options, look);
}

export interface OperatorAccess {
  readonly service: Service;
  /** Empty without encryption keys. */
  readonly encryptionKeys: EncryptionKeys;
  /** The database without its pooler. */
  readonly url: string;
}

const NO_KEYS: EncryptionKeys = { keys: [], lostIds: [] };

/** Runs an operator's command with the service's use cases. Applies no migration. */
export async function openForOperator<T>(
  settings: Settings,
  keys: "with encryption keys" | "without encryption keys",
  work: (access: OperatorAccess) => Promise<T>,
  poolSize = 2,
): Promise<T> {
  await requireDatabase(settings);
  const logger = createLogger({ level: settings.logLevel, role: "operator" });
  const options = { poolSize, applicationName: "social-connect operator", logger };
  return withDatabase(settings, options, async (database, url) => {
    const encryptionKeys = keys === "with encryption keys" ? await encryptionKeysOf(settings) : NO_KEYS;
    const isLocked = encryptionKeys.keys.length === 0;
    const secretBox = isLocked ? LOCKED_BOX : createSecretBox(encryptionKeys.keys, encryptionKeys.lostIds);
    const parts = { logger, telemetry: NO_TELEMETRY, secretBox };
    // A clock that was not moved reports the system's time.
    const mode = (settings.modeIsSet ? null : await readMode(database.pool)) ?? settings.mode;
    const service = createService({ ...settings, mode, movableClock: true }, { database, reads: database }, parts);
    return work({ service, encryptionKeys, url });
  });
}

/** The same on a database that has all migrations; the command neither encrypts nor decrypts. */
export async function operate<T>(settings: Settings, work: (service: Service) => Promise<T>): Promise<T> {
  return openForOperator(settings, "without encryption keys", async ({ service, url }) => {
    requireMigrated(await pendingMigrations(url));
    return work(service);
  });
}
