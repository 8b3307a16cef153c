import type { GraphQLOutputType } from "graphql";
import { getNamedType, isUnionType } from "graphql";
import { selectionOf } from "./documents.ts";
import { reachableFrom } from "./reachable.ts";
import type { Api, Operation } from "./schemas.ts";
import type { TypeStyle } from "./typeScript.ts";
import { BUILT_IN_SCALARS, enumText, interfaceText, membersText, typeText } from "./typeScript.ts";

const AS_TEXT: TypeStyle = {
  scalars: { ...BUILT_IN_SCALARS, DateTime: "string", DecimalCount: "string" },
  enumType: () => "string",
};
const AS_RESOLVED: TypeStyle = {
  scalars: { ...BUILT_IN_SCALARS, DateTime: "Date", DecimalCount: "string" },
  enumType: ({ name }) => name,
};

/** What the conformance suite sends and reads: types of both, and the parts of a document. Enum values are strings. */
export function wireText(api: Api): string {
  const { objects, inputs } = reachableFrom(api);
  const withoutErrors = objects.filter((type) => !type.getInterfaces().some(({ name }) => name === "PanelError"));
  const types = [...withoutErrors, ...inputs].map((type) => interfaceText(type, AS_TEXT));
  const operations = api.operations.map(
    ({ name, field }) => `  ${name}: { args: ${argsText(name, field, AS_TEXT)}; answer: ${answerText(field.type)} };`,
  );
  const texts = api.operations.map(({ name, kind, field }) => {
    const args = Object.fromEntries(field.args.map((arg) => [arg.name, String(arg.type)]));
    return `  ${name}: ${JSON.stringify({ kind, args, fields: selectionOf(field.type) })},`;
  });
  return [
    ...types,
    `/** Every operation with its arguments and its answer; of a union, the member that is not an error. */\nexport interface Operations {\n${operations.join("\n")}\n}`,
    `/** The parts of each operation's document: all arguments, and all fields of the answer. */\nexport const DOCUMENT_PARTS = {\n${texts.join("\n")}\n} as const;`,
  ].join("\n\n");
}

/** The arguments of each operation as a resolver gets them. */
export function resolverArguments(apis: Readonly<Record<string, Api>>): string {
  const merged = new Map<string, string>();
  const maps = Object.entries(apis).map(([name, api]) => {
    const { inputs, sentEnums } = reachableFrom(api);
    for (const type of sentEnums)
      merged.set(
        type.name,
        enumText(type, (union) => union, AS_RESOLVED),
      );
    for (const type of inputs) merged.set(type.name, interfaceText(type, AS_RESOLVED));
    const members = api.operations.map((each) => `  ${each.name}: ${argsText(each.name, each.field, AS_RESOLVED)};`);
    return `export interface ${name} {\n${members.join("\n")}\n}`;
  });
  return [...merged.values(), ...maps].join("\n\n");
}

function argsText(operation: string, field: Operation["field"], style: TypeStyle): string {
  const members = membersText(operation, field.args, style, "sent").map((line) => line.trim());
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join(" ")} }`;
}

function answerText(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isUnionType(named)) return typeText(type, AS_TEXT, "answered");
  const [record, ...others] = named.getTypes().filter((member) => member.getInterfaces().length === 0);
  if (record === undefined || others.length > 0)
    throw new Error(`${named.name} must have exactly one member that is not an error.`);
  return record.name;
}
