import { MockMisuseError } from "./misuse.ts";

/** What a field of a command's body is. `!`: it has to be there; `?`: it may be null. */
interface Types {
  readonly text: string | undefined;
  readonly "text!": string;
  readonly "text?": string | null | undefined;
  readonly texts: readonly string[] | undefined;
  readonly "texts!": readonly string[];
  readonly flag: boolean | undefined;
  readonly "flag!": boolean;
  readonly number: number | undefined;
  /** Milliseconds, or text such as `10m`. */
  readonly duration: string | number | undefined;
  readonly "duration!": string | number;
  readonly any: unknown;
}

const CHECKS: Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly words: string }>> = {
  text: { is: (value) => typeof value === "string", words: "a text" },
  texts: {
    is: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
    words: "a list of texts",
  },
  flag: { is: (value) => typeof value === "boolean", words: "true or false" },
  number: { is: (value) => typeof value === "number", words: "a number" },
  duration: {
    is: (value) => typeof value === "string" || typeof value === "number",
    words: "milliseconds, or a text such as 10m",
  },
  any: { is: () => true, words: "anything" },
};

type Fields<Shape extends Readonly<Record<string, keyof Types>>> = {
  [Name in keyof Shape as undefined extends Types[Shape[Name]] ? never : Name]: Types[Shape[Name]];
} & {
  [Name in keyof Shape as undefined extends Types[Shape[Name]] ? Name : never]?: Exclude<Types[Shape[Name]], undefined>;
};

/** The fields of a body, each of its type; throws for one that is unknown, missing or of another type. */
export function fieldsOf<const Shape extends Readonly<Record<string, keyof Types>>>(
  body: Readonly<Record<string, unknown>>,
  shape: Shape,
): Fields<Shape> {
  const names = Object.keys(shape);
  const unknown = Object.keys(body).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new MockMisuseError(`There is no field ${unknown.join(", ")}. Possible: ${names.join(", ") || "none"}.`);
  }
  for (const [name, type] of Object.entries(shape)) {
    const value = body[name];
    const check = CHECKS[type.replace(/[!?]$/, "")];
    if (value === undefined || (value === null && type.endsWith("?"))) {
      if (value === undefined && type.endsWith("!")) throw new MockMisuseError(`The field ${name} is missing.`);
    } else if (!check?.is(value))
      throw new MockMisuseError(`The field ${name} is ${check?.words ?? "something else"}.`);
  }
  return body as Fields<Shape>;
}
