import { hasPassed } from "../time/time.ts";

export interface KeyLifetime {
  readonly revokedAt: Date | null;
  /** null: valid until revoked. */
  readonly expiresAt: Date | null;
}

/** True while a key may be used: not revoked, not expired. Source: service description, part 5. */
export function isKeyActive(key: KeyLifetime, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || !hasPassed(key.expiresAt, now));
}
