import type { ConflictReason } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import type { KeyLifetime } from "../keys/keyLifetime.ts";
import { isKeyActive } from "../keys/keyLifetime.ts";
import type { RuleViolation } from "../refusals/refusal.ts";
import { badUserInput } from "../refusals/refusal.ts";

/**
 * KEY_LIMIT when the application has two active keys already: one to rotate from and one to rotate to. `keys` are all of the
 * application's; expired and revoked ones do not count. Source: service description, parts 5 (rule 4) and 8.
 */
export function checkNewApplicationKey(keys: readonly KeyLifetime[], now: Date): ConflictReason | null {
  const active = keys.filter((key) => isKeyActive(key, now)).length;
  return active < LIMITS.activeApplicationKeys ? null : "KEY_LIMIT";
}

/** Ten years: longer is for ever, and for ever is said by leaving it out. This project's choice. */
const LONGEST_DAYS = 3_650;

/** BAD_USER_INPUT unless a key may live for so many whole days; null is until it is revoked. */
export function checkApplicationKeyLifetime(days: number | null): RuleViolation | null {
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= LONGEST_DAYS)) return null;
  return badUserInput(`a key lives for 1 to ${LONGEST_DAYS} days, or until it is revoked`);
}
