import { reachableFrom } from "./reachable.ts";
import type { Api } from "./schemas.ts";
import type { TypeStyle } from "./typeScript.ts";
import { BUILT_IN_SCALARS, enumText, interfaceText } from "./typeScript.ts";

/** What the public types of an SDK have beyond the schema. */
export interface SdkTypes extends Pick<TypeStyle, "fieldTypes" | "omittedFields"> {
  readonly imports: readonly string[];
  /** Public names that differ from the schema's. */
  readonly names?: Readonly<Record<string, string>>;
  /** Input types that are public. */
  readonly inputs: readonly string[];
}

const STYLE: TypeStyle = {
  scalars: { ...BUILT_IN_SCALARS, DateTime: "string", DecimalCount: "string" },
  enumType: ({ name }) => name,
  docs: { scalarNotes: { DateTime: "ISO 8601." } },
};

/**
 * The public types of an SDK with the schema's descriptions. Enums in responses are open: the service may add a value
 * in a minor version. Enums that a caller also sends stay closed, and are `Open<…>` in responses.
 */
export function sdkTypes(api: Api, { imports, names = {}, inputs, ...fields }: SdkTypes): string {
  const { objects, inputs: reachableInputs, enums, sentEnums } = reachableFrom(api);
  const style: TypeStyle = {
    ...STYLE,
    ...fields,
    nameOf: (name) => names[name] ?? name,
    enumType: (type, position) =>
      position === "answered" && sentEnums.includes(type) ? `Open<${type.name}>` : type.name,
  };
  const chosen = reachableInputs.filter(({ name }) => inputs.includes(name));
  return [
    ...imports,
    ...enums.map((type) => enumText(type, (union) => (sentEnums.includes(type) ? union : `Open<${union}>`), style)),
    ...[...objects, ...chosen].map((type) => interfaceText(type, style)),
  ].join("\n\n");
}

type Union = readonly [description: string, name: string, members: readonly string[]];

/** Names of operations as unions, and what sending an operation a second time does, which decides about retries. */
export function sdkOperations<Details>(
  operations: Readonly<Record<string, Details>>,
  repeat: (operation: Details) => string,
  ...unions: readonly Union[]
): string {
  const member = (name: string) => (unions.some(([, union]) => union === name) ? name : `"${name}"`);
  const repeats = Object.entries(operations).map(([name, operation]) => `  ${name}: "${repeat(operation)}",`);
  return [
    ...unions.map(
      ([description, name, members]) =>
        `/** ${description} */\nexport type ${name} =${members.map((each) => `\n  | ${member(each)}`).join("")};`,
    ),
    "/** What sending an operation a second time does. */\nexport type Repeating = (typeof REPEATING)[keyof typeof REPEATING];",
    `export const REPEATING = {\n${repeats.join("\n")}\n} as const;`,
  ].join("\n\n");
}
