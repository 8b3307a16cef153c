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

/** The names of the operations as a union, and what decides about retries. */
export function sdkOperations(
  description: string,
  classes: Readonly<Record<string, string>>,
  unions: Readonly<Record<string, { readonly description: string; readonly names: readonly string[] }>>,
): string {
  const union = (names: readonly string[]) => names.map((name) => `\n  | "${name}"`).join("");
  return [
    ...Object.entries(unions).map(
      ([name, each]) => `/** ${each.description} */\nexport type ${name} =${union(each.names)};`,
    ),
    `/** ${description} */\nexport const REPEATING = ${JSON.stringify(classes, null, 2)} as const;`,
  ].join("\n\n");
}
