/** A key is no longer in use when it was not used for this long. */
export const SILENCE_MS = 3_600_000;

export interface RotatingKey {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/**
 * `deploy`: the new key was not used yet. `wait`: the old key is still in use. `revoke`: the new key is in use, and the old
 * one is not.
 */
export type RotationStep = "deploy" | "wait" | "revoke";

export function rotationStep(oldKey: RotatingKey, newKey: RotatingKey, now: Date): RotationStep {
  if (newKey.lastUsedAt === null) return "deploy";
  return now.getTime() < silentAt(oldKey).getTime() ? "wait" : "revoke";
}

/** When a key will have been silent for an hour, unless it is used again. */
export function silentAt({ lastUsedAt }: RotatingKey): Date {
  return new Date(lastUsedAt === null ? 0 : Date.parse(lastUsedAt) + SILENCE_MS);
}

/** The oldest of several active keys, and the newest, which replaces it; null if there is only one. */
export function rotationOf<Key extends RotatingKey>(
  active: readonly Key[],
): { readonly oldKey: Key; readonly newKey: Key } | null {
  const byAge = active.toSorted((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
  const [oldKey, newKey] = [byAge[0], byAge.at(-1)];
  return oldKey === undefined || newKey === undefined || oldKey === newKey ? null : { oldKey, newKey };
}
