import type { Service } from "../service.ts";

const CHECK_EVERY_MS = 60_000;

export const MISSING_KEY_MESSAGE =
  "another process encrypts with a key that this process lacks; it serves what it can decrypt. Add the key to ENCRYPTION_KEYS and restart this process";

type Parts = Pick<Service, "pool" | "clock" | "logger">;

/**
 * Finds keys that other processes have used first since this process started, which it lacks: the keys were rotated elsewhere.
 * Returns a check that logs each id once.
 */
export async function newKeyCheck(
  { pool, clock, logger }: Parts,
  knownIds: readonly string[],
): Promise<() => Promise<void>> {
  // Also a key of a process that started at the same time.
  const since = new Date((await clock.now()).getTime() - CHECK_EVERY_MS);
  const reported = new Set(knownIds);
  return async () => {
    const { rows } = await pool.query<{ id: string }>(
      "SELECT key_id AS id FROM encryption_key_check WHERE first_used_at >= $1 AND key_id <> ALL($2)",
      [since, [...reported]],
    );
    for (const { id } of rows) {
      reported.add(id);
      logger.error({ keyId: id }, MISSING_KEY_MESSAGE);
    }
  };
}

/** Repeats the check every minute, until it is stopped. */
export async function watchNewKeys(parts: Parts, knownIds: readonly string[]): Promise<() => void> {
  const check = await newKeyCheck(parts, knownIds);
  // The next check reports what this one could not, because the database did not respond.
  const timer = setInterval(() => void check().catch(() => undefined), CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
