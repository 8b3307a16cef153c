import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import { operationsOf } from "../operations.ts";
import { reachableFrom } from "../reachable.ts";
import type { Api } from "../schemas.ts";
import { argumentsText, BUILT_IN_SCALARS, enumText, fileText, interfaceText, type TypeStyle } from "../typeScript.ts";

const AS_RESOLVED: TypeStyle = {
  scalars: { ...BUILT_IN_SCALARS, DateTime: "Date", DecimalCount: "string" },
  enumType: ({ name }) => name,
};

/** The API of each interface. They share types, so that one file has both. */
export interface ResolverArguments {
  readonly interfaces: Readonly<Record<string, Api>>;
}

/** The arguments of each operation as a resolver gets them. */
export const plugin: PluginFunction<ResolverArguments, string> = (_schema, _documents, { interfaces }) => {
  const merged = new Map<string, string>();
  const maps = Object.entries(interfaces).map(([name, api]) => {
    const operations = operationsOf(api.schema, api);
    const { inputs, sentEnums } = reachableFrom(operations);
    for (const type of sentEnums)
      merged.set(
        type.name,
        enumText(type, (union) => union, AS_RESOLVED),
      );
    for (const type of inputs) merged.set(type.name, interfaceText(type, AS_RESOLVED));
    const members = operations.map((each) => `  ${each.name}: ${argumentsText(each.name, each.field, AS_RESOLVED)};`);
    return `export interface ${name} {\n${members.join("\n")}\n}`;
  });
  return fileText([...merged.values(), ...maps]);
};
