/** A field of a `fields` parameter with its subfields: `id,children{id,media_type}`. */
export interface FieldRequest {
  readonly name: string;
  readonly nested: readonly FieldRequest[];
}

/** Normalizes a list parameter to a comma-separated string: it may be repeated, or a JSON array as the provider's SDK sends. */
export function graphList(query: URLSearchParams, name: string): string {
  return query.getAll(name).map(withCommas).join(",");
}

function withCommas(value: string): string {
  if (!value.startsWith("[")) return value;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.join(",") : value;
  } catch {
    return value;
  }
}

/** Returns null if the braces do not match or a name is invalid. */
export function parseFields(text: string): FieldRequest[] | null {
  const parts = splitOutsideBraces(text);
  if (parts === null) return null;
  const fields: FieldRequest[] = [];
  for (const part of parts) {
    const match = /^([a-z_]+)(?:\{(.*)\})?$/.exec(part.trim());
    const name = match?.[1];
    if (name === undefined) return null;
    const nested = match?.[2] === undefined ? [] : parseFields(match[2]);
    if (nested === null) return null;
    fields.push({ name, nested });
  }
  return fields;
}

function splitOutsideBraces(text: string): string[] | null {
  const parts: string[] = [];
  let depth = 0;
  let current = "";
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth < 0) return null;
    if (character === "," && depth === 0) {
      parts.push(current);
      current = "";
    } else {
      current += character;
    }
  }
  if (depth !== 0) return null;
  return [...parts, current].filter((part) => part.trim() !== "");
}
