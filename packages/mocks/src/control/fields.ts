import { MockMisuseError, oneOf, within } from "../util/misuse.ts";

const isText = (value: unknown) => typeof value === "string";

/** Valibot would add 1.5 kB (gzip) to every bundle. */
const CHECKS = {
  string: { matches: isText, expected: "a string" },
  strings: {
    matches: (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText),
    expected: "a list of strings",
  },
  boolean: { matches: (value: unknown) => typeof value === "boolean", expected: "true or false" },
  number: { matches: (value: unknown) => typeof value === "number", expected: "a number" },
  count: {
    matches: (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
    expected: "an integer, 0 or more",
  },
  duration: {
    matches: (value: unknown) => typeof value === "string" || typeof value === "number",
    expected: "milliseconds, or a string such as 10m",
  },
  object: {
    matches: (value: unknown): value is Readonly<Record<string, unknown>> =>
      typeof value === "object" && value !== null && !Array.isArray(value),
    expected: "an object",
  },
  any: { matches: (_value: unknown): _value is unknown => true, expected: "anything" },
};

type Name = keyof typeof CHECKS;
/** A type, the valid strings, or the valid strings of a list. `!` marks a required field, `?` a nullable one. */
type Field = Name | `${Name}!` | `${Name}?` | readonly string[] | { readonly each: readonly string[] };
type ValueOf<One> = One extends Name
  ? (typeof CHECKS)[One]["matches"] extends (value: unknown) => value is infer Value
    ? Value
    : never
  : One extends readonly (infer Text)[]
    ? Text
    : One extends { readonly each: readonly (infer Text)[] }
      ? readonly Text[]
      : never;
type TypeOf<One extends Field> = One extends `${infer Known}!`
  ? ValueOf<Known>
  : One extends `${infer Known}?`
    ? ValueOf<Known> | null | undefined
    : ValueOf<One> | undefined;

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
  if (!CHECKS.object.matches(passed)) throw new MockMisuseError(`Pass an object. ${possible}`);
  const unknown = Object.keys(passed).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new MockMisuseError(`Unknown field ${unknown.join(", ")}. ${possible}`, unknown.slice(0, 1));
  for (const [name, field] of Object.entries(shape)) {
    const isMissing = passed[name] === undefined;
    // A missing field has no position.
    if (isMissing) checkField(name, field, undefined);
    else within(name, () => checkField(name, field, passed[name]));
  }
  return passed as Fields<Shape>;
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
  const check = CHECKS[field.replace(/[!?]$/, "") as Name];
  if (value === undefined) {
    if (field.endsWith("!")) throw new MockMisuseError(`\`${name}\` is required.`);
  } else if (!(value === null && field.endsWith("?")) && !check.matches(value)) {
    throw new MockMisuseError(`\`${name}\` must be ${check.expected}.`);
  }
}
