import { inspect } from "node:util";
import { expect } from "vitest";

/** All printed forms of a value and its properties: string, JSON and inspection. */
export function printsOf(value: unknown): string {
  const prints: string[] = [];
  const seen = new Set<unknown>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    prints.push(textOf(() => String(next)));
    if ((typeof next !== "object" && typeof next !== "function") || next === null || seen.has(next)) continue;
    seen.add(next);
    prints.push(textOf(() => JSON.stringify(next)));
    prints.push(textOf(() => inspect(next, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true })));
    // Includes properties that are not enumerable or have symbols as names: causes, stacks, lists of errors.
    for (const name of Reflect.ownKeys(next)) {
      const own: unknown = Reflect.get(next, name);
      prints.push(String(name));
      open.push(own);
    }
  }
  return prints.join("\n");
}

function textOf(print: () => string | undefined): string {
  try {
    return print() ?? "";
  } catch {
    return "";
  }
}

/** Fails when a secret appears in the output of a value, plain or encoded. */
export function expectNoneOf(canaries: readonly string[], value: unknown): void {
  const prints = printsOf(value).toLowerCase();
  for (const canary of canaries) {
    for (const form of [canary, encodeURIComponent(canary), JSON.stringify(canary).slice(1, -1)]) {
      expect(prints).not.toContain(form.toLowerCase());
    }
  }
}
