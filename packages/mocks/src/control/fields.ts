import { MockMisuseError, oneOf } from "../util/misuse.ts";

/** What a field may be, by kind. `!`: it has to be there; `?`: it may be null. */
interface Types {
  readonly text: string | undefined;
  readonly "text!": string;
  readonly "text?": string | null | undefined;
  readonly texts: readonly string[] | undefined;
  readonly "texts!": readonly string[];
  readonly flag: boolean | undefined;
  readonly "flag!": boolean;
  readonly number: number | undefined;
  /** A whole number, 0 or more. */
  readonly count: number | undefined;
  /** Milliseconds, or text such as `10m`. */
  readonly duration: string | number | undefined;
  readonly "duration!": string | number;
  readonly record: Readonly<Record<string, unknown>> | undefined;
  readonly any: unknown;
}

/** A kind, some texts of which it is one, or some of which it is a list. */
type Field = keyof Types | readonly string[] | { readonly each: readonly string[] };
type TypeOf<One extends Field> = One extends keyof Types
  ? Types[One]
  : One extends readonly (infer Text)[]
    ? Text | undefined
    : One extends { readonly each: readonly (infer Text)[] }
      ? readonly Text[] | undefined
      : never;

const CHECKS: Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly words: string }>> = {
  text: { is: (value) => typeof value === "string", words: "a text" },
  texts: {
    is: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
    words: "a list of texts",
  },
  flag: { is: (value) => typeof value === "boolean", words: "true or false" },
  number: { is: (value) => typeof value === "number", words: "a number" },
  count: { is: (value) => Number.isSafeInteger(value) && Number(value) >= 0, words: "a whole number, 0 or more" },
  duration: {
    is: (value) => typeof value === "string" || typeof value === "number",
    words: "milliseconds, or a text such as 10m",
  },
  record: {
    is: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    words: "an object",
  },
  any: { is: () => true, words: "anything" },
};

type Fields<Shape extends Readonly<Record<string, Field>>> = {
  [Name in keyof Shape as undefined extends TypeOf<Shape[Name]> ? never : Name]: TypeOf<Shape[Name]>;
} & {
  [Name in keyof Shape as undefined extends TypeOf<Shape[Name]> ? Name : never]?: Exclude<
    TypeOf<Shape[Name]>,
    undefined
  >;
};

/** What a test or a request has passed, each field of its type; throws for one that is unknown, missing or of another type. */
export function fieldsOf<const Shape extends Readonly<Record<string, Field>>>(
  passed: unknown,
  shape: Shape,
): Fields<Shape> {
  const names = Object.keys(shape);
  const possible = `Possible: ${names.join(", ") || "none"}.`;
  if (!CHECKS["record"]?.is(passed)) throw new MockMisuseError(`What is passed is an object of fields. ${possible}`);
  const fields = passed as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new MockMisuseError(`There is no field ${unknown.join(", ")}. ${possible}`);
  for (const [name, field] of Object.entries(shape)) checkField(name, field, fields[name]);
  return fields as Fields<Shape>;
}

function checkField(name: string, field: Field, value: unknown): void {
  if (typeof field !== "string") {
    if (value === undefined) return;
    if (!("each" in field)) oneOf(value, field, name);
    else if (!Array.isArray(value))
      throw new MockMisuseError(`The field ${name} is a list of: ${field.each.join(", ")}.`);
    else for (const one of value) oneOf(one, field.each, `entry of ${name}`);
    return;
  }
  const check = CHECKS[field.replace(/[!?]$/, "")];
  if (value === undefined) {
    if (field.endsWith("!")) throw new MockMisuseError(`The field ${name} is missing.`);
  } else if (!(value === null && field.endsWith("?")) && !check?.is(value)) {
    throw new MockMisuseError(`The field ${name} is ${check?.words ?? "something else"}.`);
  }
}
