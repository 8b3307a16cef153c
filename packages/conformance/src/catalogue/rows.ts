import type { Row } from "../harness/coverage.ts";

/** Rows that are the observation themselves: codes, enum values, operations. */
export function values(source: string, prefix: string, names: readonly string[]): Row[] {
  return names.map((name) => ({ id: `${prefix}${name}`, source, text: name, witness: [`${prefix}${name}`] }));
}

/** Rules: an id, the statement, and the observation that proves it. */
export function rules(
  source: string,
  prefix: string,
  entries: Readonly<Record<string, readonly [text: string, ...witness: string[]]>>,
): Row[] {
  return Object.entries(entries).map(([name, [text, ...witness]]) => ({
    id: `${prefix}${name}`,
    source,
    text,
    witness,
  }));
}
