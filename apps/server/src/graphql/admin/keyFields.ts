import { dateOrNull } from "../shared/fieldOptions.ts";

/** Fields that admin keys and application keys have in common. */
export const LAST_USED_AT = dateOrNull("Accurate to the minute; null before its first use.");
export const REVOKED_AT = dateOrNull("When an admin revoked it; null before.");
