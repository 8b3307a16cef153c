export function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
