/** Fields that admin keys and application keys have in common. */
export const LAST_USED_AT = {
  type: "DateTime",
  nullable: true,
  description: "Accurate to the minute; null before its first use.",
} as const;
export const REVOKED_AT = {
  type: "DateTime",
  nullable: true,
  description: "When an admin revoked it; null before.",
} as const;
