import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import type { EncryptionKey } from "../../platform/secretBox.ts";
import { createSecretBox, SecretBoxError } from "../../platform/secretBox.ts";
import { SEALED_COLUMNS } from "./sealedColumns.ts";

/**
 * `correct`: the key decrypts what the database has under its id. `wrong`: it decrypts none of it. `unused`: the database has
 * nothing under its id.
 */
export type KeyState = "correct" | "wrong" | "unused";

export interface KeyCheck {
  readonly id: string;
  readonly state: KeyState;
  /** False for a key that was not checked in at a start yet: values of rows decided. */
  readonly isRecorded: boolean;
}

/** Encryption keys that differ from those with which the database was encrypted. The message contains ids only. */
export class WrongEncryptionKeyError extends Error {
  readonly keyIds: readonly string[];

  constructor(keyIds: readonly string[]) {
    const ids = keyIds.map((id) => JSON.stringify(id)).join(", ");
    super(
      `the encryption key with the id ${ids} is not the key that encrypted this database. ` +
        "Set the correct key for that id; if it is lost, give the new key another id",
    );
    this.name = "WrongEncryptionKeyError";
    this.keyIds = keyIds;
  }
}

/** Rows of a column that are searched for values of a key. A search through all could take minutes. */
const SAMPLE = 1_000;
const PLAINTEXT = "social-connect";
const binding = (id: string) => `encryption_key_check/${id}`;

/** Compares each key with the database. Changes nothing. */
export async function checkKeys(pool: Pool, keys: readonly EncryptionKey[]): Promise<readonly KeyCheck[]> {
  const recorded = await readChecks(pool, keys);
  const checks: KeyCheck[] = [];
  for (const key of keys) {
    const sealed = recorded.get(key.id);
    const isRecorded = sealed !== undefined;
    const state = isRecorded ? stateOf(key, [{ sealed, binding: binding(key.id) }]) : await stateInRows(pool, key);
    checks.push({ id: key.id, state, isRecorded });
  }
  return checks;
}

/**
 * Refuses keys that differ from those with which the database was encrypted, and stores a check value for each new key. Of
 * processes that start together with different keys under a new id, one succeeds.
 *
 * @throws WrongEncryptionKeyError
 */
export async function requireCorrectKeys(
  { pool, clock, logger }: { readonly pool: Pool; readonly clock: Clock; readonly logger: Logger },
  keys: readonly EncryptionKey[],
): Promise<void> {
  const checks = await checkKeys(pool, keys);
  refuseWrong(checks);
  const missing = await findMissingKeyIds(pool, keys);
  if (missing.length > 0) {
    logger.error(
      { keyIds: missing },
      "the database has values of encryption keys that are not configured, for example after a restore: " +
        "add them to ENCRYPTION_KEYS, or users of these values must reconnect",
    );
  }
  const unrecorded = keys.filter(({ id }) => checks.some((check) => check.id === id && !check.isRecorded));
  if (unrecorded.length === 0) return;
  try {
    await recordChecks(pool, unrecorded, await clock.now());
  } catch (error) {
    if (!MAY_NOT_WRITE.has((error as { readonly code?: string }).code)) throw error;
    logger.warn(
      { keyIds: unrecorded.map(({ id }) => id) },
      "the database user may not store check values of encryption keys",
    );
    return;
  }
  // Another process may have been faster, with other keys.
  refuseWrong(await checkKeys(pool, unrecorded));
}

/** Insufficient privilege, and a read-only transaction. */
const MAY_NOT_WRITE: ReadonlySet<string | undefined> = new Set(["42501", "25006"]);

function refuseWrong(checks: readonly KeyCheck[]): void {
  const wrong = checks.filter(({ state }) => state === "wrong").map(({ id }) => id);
  if (wrong.length > 0) throw new WrongEncryptionKeyError(wrong);
}

async function readChecks(pool: Pool, keys: readonly EncryptionKey[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; sealed: string }>(
    "SELECT key_id AS id, sealed FROM encryption_key_check WHERE key_id = ANY($1)",
    [keys.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, sealed }) => [id, sealed]));
}

async function recordChecks(pool: Pool, keys: readonly EncryptionKey[], now: Date): Promise<void> {
  for (const key of keys) {
    const sealed = createSecretBox([key]).seal(PLAINTEXT, binding(key.id));
    await pool.query(
      "INSERT INTO encryption_key_check (key_id, sealed, first_used_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [key.id, sealed, now],
    );
  }
}

/** For a database that is older than the check values: a wrong key must not become the key of its id. */
async function stateInRows(pool: Pool, key: EncryptionKey): Promise<KeyState> {
  const prefix = createSecretBox([key]).freshPrefix;
  const values: { sealed: string; binding: string }[] = [];
  for (const { table, column, binding } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ id: string; sealed: string }>(
      `SELECT id, sealed FROM (SELECT id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLE}) sample
        WHERE starts_with(sealed, $1) LIMIT 10`,
      [prefix],
    );
    values.push(...rows.map(({ id, sealed }) => ({ sealed, binding: binding(id) })));
  }
  return stateOf(key, values);
}

/** The ids under which a sample of the stored values was encrypted, without those of `keys`. */
export async function findMissingKeyIds(pool: Pool, keys: readonly EncryptionKey[]): Promise<readonly string[]> {
  const known = keys.map(({ id }) => id);
  const missing = new Set<string>();
  for (const { table, column } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT DISTINCT split_part(sealed, '.', 2) AS id
         FROM (SELECT ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLE}) sample
        WHERE split_part(sealed, '.', 2) <> ALL($1)`,
      [known],
    );
    for (const { id } of rows) missing.add(id);
  }
  return [...missing].toSorted();
}

/** A single value may be damaged, so one success is enough. */
function stateOf(
  key: EncryptionKey,
  values: readonly { readonly sealed: string; readonly binding: string }[],
): KeyState {
  if (values.length === 0) return "unused";
  const box = createSecretBox([key]);
  const opens = ({ sealed, binding }: (typeof values)[number]) => {
    try {
      box.open(sealed, binding);
      return true;
    } catch (error) {
      if (error instanceof SecretBoxError) return false;
      throw error;
    }
  };
  return values.some(opens) ? "correct" : "wrong";
}
