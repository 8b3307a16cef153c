/** The options of a field that can be null. */
export function orNull(description: string) {
  return { description, nullable: true } as const;
}

/** The options of a date that can be null. */
export function dateOrNull(description: string) {
  return { type: "DateTime", ...orNull(description) } as const;
}

/** Fields that admin keys and application keys have in common. */
export const LAST_USED_AT = dateOrNull("Accurate to the minute; null before its first use.");
export const REVOKED_AT = dateOrNull("When an admin revoked it; null before.");
