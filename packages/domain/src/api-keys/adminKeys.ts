import type { ConflictReason } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import type { KeyLifetime } from "../keys/keyLifetime.ts";
import { isKeyActive } from "../keys/keyLifetime.ts";
import type { RuleViolation } from "../refusals/refusal.ts";
import { badUserInput } from "../refusals/refusal.ts";
import { checkName } from "../text/text.ts";
import { addMs } from "../time/time.ts";

const DAY_MS = 86_400_000;

/**
 * KEY_LIMIT when the admin has five active keys already. `keys` are all of the admin's; expired and revoked ones do not
 * count. Source: service description, part 5, admin rule 4.
 */
export function checkNewAdminKey(keys: readonly KeyLifetime[], now: Date): ConflictReason | null {
  const active = keys.filter((key) => isKeyActive(key, now)).length;
  return active < LIMITS.activeAdminKeys ? null : "KEY_LIMIT";
}

/** BAD_USER_INPUT unless a key may be called so. This project's choice. */
export function checkAdminKeyLabel(label: string): RuleViolation | null {
  return checkName(label, "label", { maxLength: 80 });
}

/** BAD_USER_INPUT unless a key may live for so many whole days. Source: service description, part 5, admin rule 3. */
export function checkAdminKeyLifetime(
  days: number,
  mode: keyof typeof LIMITS.adminKeyLifetimeDays,
): RuleViolation | null {
  const maximum = LIMITS.adminKeyLifetimeDays[mode];
  if (Number.isInteger(days) && days >= 1 && days <= maximum) return null;
  return badUserInput(`a key lives for 1 to ${maximum} days`);
}

/** When a key that was made at `createdAt` ends. Days are of 24 hours. */
export function keyExpiry(createdAt: Date, days: number): Date {
  return addMs(createdAt, days * DAY_MS);
}
