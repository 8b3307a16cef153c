import type { Pool } from "pg";
import type { Logger } from "../../platform/log/logger.ts";
import { createSecretBox, type EncryptionKey, SecretBoxError } from "../../platform/secrets/secretBox.ts";
import type { Clock } from "../../platform/time/clock.ts";
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

/** Stored values of a key that this process does not have. */
export interface MissingKey {
  readonly id: string;
  /** By `table.column`. */
  readonly values: Readonly<Record<string, number>>;
}

export class MissingEncryptionKeyError extends Error {
  constructor(missing: readonly MissingKey[]) {
    super(
      `${missing.map(describeMissing).join("; ")}. Add it to ENCRYPTION_KEYS behind the others, for example from before ` +
        "a rotation; if it is lost, add <id>:lost instead, and users of its values must reconnect",
    );
    this.name = "MissingEncryptionKeyError";
  }
}

/** The ids and counts only. */
export function describeMissing({ id, values }: MissingKey): string {
  const counts = Object.entries(values).map(([column, rows]) => `${column} (${rows})`);
  return `the encryption key ${JSON.stringify(id)} is missing, and stored values need it: ${counts.join(", ")}`;
}

/** Rows of a column that are searched for values of a key. */
const SAMPLE = 1_000;
/** The same for a start: about 0.1 s for each column. */
const START_SAMPLE = 100_000;
export const ALL_ROWS = null;
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
 * Refuses keys that differ from the keys of the database or lack a key that stored values need, and stores a check value for each new key. If
 * processes start together with different keys under a new id, one succeeds.
 *
 * @throws WrongEncryptionKeyError
 * @throws MissingEncryptionKeyError
 */
export async function requireCorrectKeys(
  { pool, clock, logger }: { readonly pool: Pool; readonly clock: Clock; readonly logger: Logger },
  keys: readonly EncryptionKey[],
  lostIds: readonly string[] = [],
  mostRows: number | null = START_SAMPLE,
): Promise<void> {
  const checks = await refuseWrongKeys(pool, keys, lostIds, mostRows);
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

/** The same without check values: changes nothing. */
export async function refuseWrongKeys(
  pool: Pool,
  keys: readonly EncryptionKey[],
  lostIds: readonly string[],
  mostRows: number | null,
): Promise<readonly KeyCheck[]> {
  const checks = await checkKeys(pool, keys);
  refuseWrong(checks);
  const missing = await findMissingKeys(pool, [...keys.map(({ id }) => id), ...lostIds], mostRows);
  if (missing.length > 0) throw new MissingEncryptionKeyError(missing);
  return checks;
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

/** The keys of stored values that are neither among `knownIds` nor lost, in the first rows of each column or in all. */
export async function findMissingKeys(
  pool: Pool,
  knownIds: readonly string[],
  mostRows: number | null = START_SAMPLE,
): Promise<readonly MissingKey[]> {
  const missing = new Map<string, Record<string, number>>();
  for (const { table, column } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ id: string; count: number }>(
      `SELECT split_part(sealed, '.', 2) AS id, count(*)::int AS count
         FROM (SELECT ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL LIMIT $2) sample
        WHERE split_part(sealed, '.', 2) <> ALL($1) GROUP BY 1 ORDER BY 1`,
      [knownIds, mostRows],
    );
    for (const { id, count } of rows) missing.set(id, { ...missing.get(id), [`${table}.${column}`]: count });
  }
  return [...missing].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([id, values]) => ({ id, values }));
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
