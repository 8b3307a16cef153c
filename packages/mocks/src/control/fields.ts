import { MockMisuseError, oneOf, within } from "../util/misuse.ts";

/** The types of a field. `!` marks a required field, `?` a nullable one. Valibot would add 1.5 kB (gzip) to every bundle. */
interface Types {
  readonly string: string | undefined;
  readonly "string!": string;
  readonly "string?": string | null | undefined;
  readonly strings: readonly string[] | undefined;
  readonly "strings!": readonly string[];
  readonly boolean: boolean | undefined;
  readonly "boolean!": boolean;
  readonly number: number | undefined;
  /** An integer, 0 or more. */
  readonly count: number | undefined;
  /** Milliseconds, or a string such as `10m`. */
  readonly duration: string | number | undefined;
  readonly "duration!": string | number;
  readonly object: Readonly<Record<string, unknown>> | undefined;
  readonly any: unknown;
}

/** A type, the valid strings, or the valid strings of a list. */
type Field = keyof Types | readonly string[] | { readonly each: readonly string[] };
type TypeOf<One extends Field> = One extends keyof Types
  ? Types[One]
  : One extends readonly (infer Text)[]
    ? Text | undefined
    : One extends { readonly each: readonly (infer Text)[] }
      ? readonly Text[] | undefined
      : never;

const CHECKS: Readonly<Record<string, { readonly matches: (value: unknown) => boolean; readonly expected: string }>> = {
  string: { matches: (value) => typeof value === "string", expected: "a string" },
  strings: {
    matches: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
    expected: "a list of strings",
  },
  boolean: { matches: (value) => typeof value === "boolean", expected: "true or false" },
  number: { matches: (value) => typeof value === "number", expected: "a number" },
  count: {
    matches: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    expected: "an integer, 0 or more",
  },
  duration: {
    matches: (value) => typeof value === "string" || typeof value === "number",
    expected: "milliseconds, or a string such as 10m",
  },
  object: {
    matches: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    expected: "an object",
  },
  any: { matches: () => true, expected: "anything" },
};

type Fields<Shape extends Readonly<Record<string, Field>>> = {
  [Name in keyof Shape as undefined extends TypeOf<Shape[Name]> ? never : Name]: TypeOf<Shape[Name]>;
} & {
  [Name in keyof Shape as undefined extends TypeOf<Shape[Name]> ? Name : never]?: Exclude<
    TypeOf<Shape[Name]>,
    undefined
  >;
};

/** Validates the fields of options or of a request body. Throws a MockMisuseError for an unknown, missing or invalid field. */
export function fieldsOf<const Shape extends Readonly<Record<string, Field>>>(
  passed: unknown,
  shape: Shape,
): Fields<Shape> {
  const names = Object.keys(shape);
  const possible = `Possible fields: ${names.join(", ") || "none"}.`;
  if (!CHECKS["object"]?.matches(passed)) throw new MockMisuseError(`Pass an object. ${possible}`);
  const fields = passed as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new MockMisuseError(`Unknown field ${unknown.join(", ")}. ${possible}`, unknown.slice(0, 1));
  for (const [name, field] of Object.entries(shape)) {
    const isMissing = fields[name] === undefined;
    // A missing field has no position.
    if (isMissing) checkField(name, field, undefined);
    else within(name, () => checkField(name, field, fields[name]));
  }
  return fields as Fields<Shape>;
}

function checkField(name: string, field: Field, value: unknown): void {
  if (typeof field !== "string") {
    if (value === undefined) return;
    if (!("each" in field)) oneOf(value, field, name);
    else if (!Array.isArray(value))
      throw new MockMisuseError(`\`${name}\` must be a list of: ${field.each.join(", ")}.`);
    else for (const one of value) oneOf(one, field.each, `entry of \`${name}\``);
    return;
  }
  const check = CHECKS[field.replace(/[!?]$/, "")];
  if (value === undefined) {
    if (field.endsWith("!")) throw new MockMisuseError(`\`${name}\` is required.`);
  } else if (!(value === null && field.endsWith("?")) && !check?.matches(value)) {
    throw new MockMisuseError(`\`${name}\` must be ${check?.expected ?? "another type"}.`);
  }
}
