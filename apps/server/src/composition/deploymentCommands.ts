import { ConflictError } from "@social-connect/domain";
import type { Settings } from "../config/settings.ts";
import { SYSTEM } from "../modules/admin/actor.ts";
import { addAdmin } from "../modules/admins/admins.ts";
import { ALL_ROWS, refuseWrongKeys, requireCorrectKeys } from "../modules/encryption/keyChecks.ts";
import { countStale, type ReencryptCounts, reencryptStale } from "../modules/encryption/reencryptStale.ts";
import { applyMigrations, MIGRATIONS_FOLDER, pendingMigrations } from "../platform/database/migrations.ts";
import { createLogger } from "../platform/log/logger.ts";
import { NO_TELEMETRY } from "../platform/log/telemetry.ts";
import { createSecretBox } from "../platform/secrets/secretBox.ts";
import { MovableClock } from "../platform/time/clock.ts";
import { prepareTaskQueues } from "../worker/boss.ts";
import { createService, encryptionKeysOf } from "./createService.ts";
import { prepareMigrations, requireMigrated, withDatabase } from "./deploymentDatabase.ts";

/** `social-connect migrate`: applies database migrations and exits. */
export async function migrate(settings: Settings): Promise<readonly string[]> {
  const options = { poolSize: 2, applicationName: "social-connect migrate" };
  return withDatabase(settings, options, async ({ pool }, url) => {
    const applied = await applyMigrations(url, MIGRATIONS_FOLDER, { onWait: console.error });
    await prepareTaskQueues(pool);
    return applied;
  });
}

export interface Rotation extends ReencryptCounts {
  /** The key that encrypts. */
  readonly keyId: string;
  /** The keys that only decrypt. */
  readonly otherKeyIds: readonly string[];
}

/** `social-connect rotate-encryption`: re-encrypts stored values with the newest key and exits; safe while the service runs. */
export async function rotateEncryption(settings: Settings, isDryRun: boolean): Promise<Rotation> {
  const logger = createLogger({ level: settings.logLevel, role: "rotate-encryption" });
  const statementTimeoutMs = 10 * 60_000;
  const options = { poolSize: 2, applicationName: "social-connect rotate-encryption", logger, statementTimeoutMs };
  return withDatabase(settings, options, async (database, url) => {
    if (isDryRun) requireMigrated(await pendingMigrations(url));
    else await prepareMigrations(settings, url, (line) => logger.warn(line));
    const { keys, lostIds } = await encryptionKeysOf(settings);
    const parts = { logger, telemetry: NO_TELEMETRY, secretBox: createSecretBox(keys, lostIds) };
    const service = createService(settings, { database, reads: database }, parts);
    const [keyId = "", ...otherKeyIds] = keys.map(({ id }) => id);
    if (isDryRun) {
      await refuseWrongKeys(database.pool, keys, lostIds, ALL_ROWS);
      return { keyId, otherKeyIds, reencrypted: 0, unreadable: 0, ...(await countStale(service)) };
    }
    await requireCorrectKeys(service, keys, lostIds, ALL_ROWS);
    return { keyId, otherKeyIds, ...(await reencryptStale(service)) };
  });
}

/**
 * `social-connect admin add`: adds an email address to the list of admins, after applying database migrations. False
 * when it is already on the list.
 */
export async function addAdminToDeployment(settings: Settings, email: string): Promise<boolean> {
  const options = { poolSize: 2, applicationName: "social-connect admin" };
  try {
    await withDatabase(settings, options, async ({ pool, prisma }, url) => {
      await prepareMigrations(settings, url, console.error);
      // A clock that was not moved reports the system's time.
      await addAdmin({ prisma, clock: new MovableClock(pool) }, SYSTEM, email);
    });
    return true;
  } catch (error) {
    if (error instanceof ConflictError && error.reason === "ALREADY_PRESENT") return false;
    throw error;
  }
}
