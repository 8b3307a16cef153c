/** The options of a field that can be null. */
export function orNull(description: string) {
  return { description, nullable: true } as const;
}

/** The options of a date that can be null. */
export function dateOrNull(description: string) {
  return { type: "DateTime", ...orNull(description) } as const;
}
