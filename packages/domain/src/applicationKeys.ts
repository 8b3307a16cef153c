import type { ConflictReason } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import { hasPassed } from "./time.ts";

export interface KeyLifetime {
  readonly revokedAt: Date | null;
  /** null: valid until revoked. */
  readonly expiresAt: Date | null;
}

/** True while a key may be used: not revoked, not expired. Source: service description, part 5. */
export function isKeyActive(key: KeyLifetime, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || !hasPassed(key.expiresAt, now));
}

/**
 * KEY_LIMIT when the application has two active keys already: one to rotate from and one to rotate to. `keys` are all of the
 * application's; expired and revoked ones do not count. Source: service description, parts 5 (rule 4) and 8.
 */
export function checkNewApplicationKey(keys: readonly KeyLifetime[], now: Date): ConflictReason | null {
  const active = keys.filter((key) => isKeyActive(key, now)).length;
  return active < LIMITS.activeApplicationKeys ? null : "KEY_LIMIT";
}
