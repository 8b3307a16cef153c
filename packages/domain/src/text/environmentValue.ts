/** The value as a line of an environment file has it, quoted where it must be; null if no quotes fit. */
export function environmentValue(value: string): string | null {
  if (/^[\w./:@%+-]+$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  // Between double quotes a shell replaces variables, commands and escapes.
  return /["$`\\]/.test(value) ? null : `"${value}"`;
}
