import { addMs, hasPassed } from "../time/time.ts";

const DAY_MS = 86_400_000;
/** How long before a key expires its owner is to be reminded. */
export const KEY_EXPIRY_NOTICE_MS = 7 * DAY_MS;

export interface KeyLifetime {
  readonly revokedAt: Date | null;
  /** null: valid until revoked. */
  readonly expiresAt: Date | null;
}

/** True while a key may be used: not revoked, not expired. Source: service description, part 5. */
export function isKeyActive(key: KeyLifetime, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || !hasPassed(key.expiresAt, now));
}

/** True for an active key whose owner is to be reminded to replace it. */
export function expiresSoon(key: KeyLifetime, now: Date): boolean {
  const { expiresAt } = key;
  return isKeyActive(key, now) && expiresAt !== null && hasPassed(expiresAt, addMs(now, KEY_EXPIRY_NOTICE_MS));
}

export function countActiveKeys(keys: readonly KeyLifetime[], now: Date): number {
  return keys.filter((key) => isKeyActive(key, now)).length;
}

export function isLifetimeInDays(days: number, maximum: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= maximum;
}

/** When a key that was made at `createdAt` expires. Days are of 24 hours. */
export function keyExpiry(createdAt: Date, days: number): Date {
  return addMs(createdAt, days * DAY_MS);
}
