import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import { type GraphQLOutputType, getNamedType, isUnionType } from "graphql";
import { selectionOf } from "../documents.ts";
import { type OperationsConfig, operationsOf } from "../operations.ts";
import { reachableFrom } from "../reachable.ts";
import { argumentsText, BUILT_IN_SCALARS, fileText, interfaceText, type TypeStyle, typeText } from "../typeScript.ts";

const AS_TEXT: TypeStyle = {
  scalars: { ...BUILT_IN_SCALARS, DateTime: "string", DecimalCount: "string" },
  enumType: () => "string",
};

/** What the conformance suite sends and reads: types of both, and the parts of a document. Enum values are strings. */
export const plugin: PluginFunction<OperationsConfig, string> = (schema, _documents, config) => {
  const listed = operationsOf(schema, config);
  const { objects, inputs } = reachableFrom(listed);
  const withoutErrors = objects.filter((type) => !type.getInterfaces().some(({ name }) => name === "PanelError"));
  const types = [...withoutErrors, ...inputs].map((type) => interfaceText(type, AS_TEXT));
  const operations = listed.map(
    ({ name, field }) =>
      `  ${name}: { args: ${argumentsText(name, field, AS_TEXT)}; answer: ${answerText(field.type)} };`,
  );
  const texts = listed.map(({ name, kind, field }) => {
    const args = Object.fromEntries(field.args.map((arg) => [arg.name, String(arg.type)]));
    return `  ${name}: ${JSON.stringify({ kind, args, fields: selectionOf(field.type) })},`;
  });
  return fileText([
    ...types,
    `/** Every operation with its arguments and its answer; of a union, the member that is not an error. */\nexport interface Operations {\n${operations.join("\n")}\n}`,
    `/** The parts of each operation's document: all arguments, and all fields of the answer. */\nexport const DOCUMENT_PARTS = {\n${texts.join("\n")}\n} as const;`,
  ]);
};

function answerText(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isUnionType(named)) return typeText(type, AS_TEXT, "answered");
  const [record, ...others] = named.getTypes().filter((member) => member.getInterfaces().length === 0);
  if (record === undefined || others.length > 0)
    throw new Error(`${named.name} must have exactly one member that is not an error.`);
  return record.name;
}
