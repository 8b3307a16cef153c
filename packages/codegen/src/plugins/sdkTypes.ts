import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import { type OperationsConfig, operationsOf } from "../operations.ts";
import { reachableFrom } from "../reachable.ts";
import { BUILT_IN_SCALARS, enumText, fileText, interfaceText, type TypeStyle } from "../typeScript.ts";

/** What the public types of an SDK have beyond the schema. */
export interface SdkTypes extends OperationsConfig, Pick<TypeStyle, "fieldTypes" | "omittedFields"> {
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
export const plugin: PluginFunction<SdkTypes, string> = (schema, _documents, config) => {
  const { imports, names = {}, inputs, fieldTypes = {}, omittedFields = [] } = config;
  const { objects, inputs: reachableInputs, enums, sentEnums } = reachableFrom(operationsOf(schema, config));
  const style: TypeStyle = {
    ...STYLE,
    fieldTypes,
    omittedFields,
    nameOf: (name) => names[name] ?? name,
    enumType: (type, position) =>
      position === "answered" && sentEnums.includes(type) ? `Open<${type.name}>` : type.name,
  };
  const chosen = reachableInputs.filter(({ name }) => inputs.includes(name));
  return fileText([
    ...imports,
    ...enums.map((type) => enumText(type, (union) => (sentEnums.includes(type) ? union : `Open<${union}>`), style)),
    ...[...objects, ...chosen].map((type) => interfaceText(type, style)),
  ]);
};
