import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLType,
  getNullableType,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
} from "graphql";

/** How types of a schema are written in TypeScript. */
export interface TypeStyle {
  /** Names of scalars in TypeScript. */
  readonly scalars: Readonly<Record<string, string>>;
  /** An enum, where a caller sends it or where an answer contains it. */
  readonly enumType: (type: GraphQLEnumType, position: "sent" | "answered") => string;
  /** Another name for an object type. */
  readonly nameOf?: (type: string) => string;
  /** Another type for one field, e.g. `Secret` for `ConnectSession.launchToken`. */
  readonly fieldTypes?: Readonly<Record<string, string>>;
  /** Fields to omit, e.g. `IdpIdentityResult.status`. */
  readonly omittedFields?: readonly string[];
  /** Docstrings from the descriptions, with a sentence for fields of some scalars. */
  readonly docs?: { readonly scalarNotes: Readonly<Record<string, string>> };
}

/** The parts of a file, separated by empty lines. */
export function fileText(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

export const BUILT_IN_SCALARS = { ID: "string", String: "string", Boolean: "boolean", Int: "number", Float: "number" };

/** A type without `| null`. */
function baseType(type: GraphQLType, style: TypeStyle, position: "sent" | "answered"): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = typeText(nullable.ofType, style, position);
    return `readonly ${item.includes(" ") ? `(${item})` : item}[]`;
  }
  if (isEnumType(nullable)) return style.enumType(nullable, position);
  const { name } = nullable as { readonly name: string };
  return style.scalars[name] ?? style.nameOf?.(name) ?? name;
}

export function typeText(type: GraphQLType, style: TypeStyle, position: "sent" | "answered"): string {
  return `${baseType(type, style, position)}${isNonNullType(type) ? "" : " | null"}`;
}

/** Fields or arguments, one per line. Nullable ones are optional. */
export function membersText(
  owner: string,
  fields: readonly {
    readonly name: string;
    readonly type: GraphQLType;
    readonly description?: string | null | undefined;
  }[],
  style: TypeStyle,
  position: "sent" | "answered",
): string[] {
  return fields
    .filter(({ name }) => !style.omittedFields?.includes(`${owner}.${name}`))
    .flatMap(({ name, type, description }) => {
      const override = style.fieldTypes?.[`${owner}.${name}`];
      const mayBeLeftOut = position === "sent" && isInputType(type) && !isNonNullType(type);
      const note = style.docs?.scalarNotes[(getNullableType(type) as { readonly name?: string }).name ?? ""];
      return [
        ...docstring([description, note], style, "  "),
        `  readonly ${name}${mayBeLeftOut ? "?" : ""}: ${override ?? typeText(type, style, position)};`,
      ];
    });
}

/** The arguments of an operation, as an object type. */
export function argumentsText(
  operation: string,
  { args }: { readonly args: Parameters<typeof membersText>[1] },
  style: TypeStyle,
): string {
  const members = membersText(operation, args, style, "sent").map((line) => line.trim());
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join(" ")} }`;
}

export function interfaceText(type: GraphQLObjectType | GraphQLInputObjectType, style: TypeStyle): string {
  const position = isInputType(type) ? "sent" : "answered";
  const name = style.nameOf?.(type.name) ?? type.name;
  const members = membersText(type.name, Object.values(type.getFields()), style, position);
  return [...docstring([type.description], style, ""), `export interface ${name} {`, ...members, "}"].join("\n");
}

/** An enum as a union of its values; its docstring lists those with a description. */
export function enumText(type: GraphQLEnumType, wrap: (union: string) => string, style: TypeStyle): string {
  const values = type.getValues();
  const union = values.map(({ name }) => `"${name}"`).join(" | ");
  const described = values.filter(({ description }) => description);
  const list = described.map(({ name, description }) => `- \`${name}\`: ${description}`);
  return [...docstring([type.description], style, "", list), `export type ${type.name} = ${wrap(union)};`].join("\n");
}

const WIDTH = 120;

function docstring(
  sentences: readonly (string | null | undefined)[],
  style: TypeStyle,
  indent: string,
  list: readonly string[] = [],
): string[] {
  const text = sentences.filter(Boolean).join(" ").replaceAll(/\s+/g, " ");
  if (style.docs === undefined || (text === "" && list.length === 0)) return [];
  const single = `${indent}/** ${text} */`;
  if (list.length === 0 && single.length <= WIDTH) return [single];
  const lines = [
    ...wrapped(text, WIDTH - indent.length - 3),
    ...list.flatMap((item) => wrapped(item, WIDTH - 5).map((line, index) => (index === 0 ? line : `  ${line}`))),
  ];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
