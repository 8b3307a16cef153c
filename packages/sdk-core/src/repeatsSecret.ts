/** Larger than the errors of HTTP clients, which may hold the request. */
const MAX_OBJECTS = 5_000;

/**
 * Whether a value contains a secret of the request: in a text, a property or a cause. Errors of a caller's own `fetch` can
 * hold the request, and a caller may log them.
 */
export function repeatsSecret(value: unknown, secrets: readonly string[]): boolean {
  const found = new Set<unknown>([value]);
  // Iteration includes what is added during it.
  for (const each of found) {
    if (typeof each === "string" && secrets.some((secret) => each.includes(secret))) return true;
    if (typeof each !== "object" || each === null) continue;
    for (const name of Reflect.ownKeys(each)) found.add(propertyOf(each, name));
    if (found.size > MAX_OBJECTS) return false;
  }
  return false;
}

/** Undefined for a property that throws. */
function propertyOf(holder: object, name: string | symbol): unknown {
  try {
    return Reflect.get(holder, name);
  } catch {
    return undefined;
  }
}
