import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLUnionType,
  getNamedType,
  isObjectType,
  isUnionType,
} from "graphql";
import { type Operation, operationsOf } from "./operations.ts";
import type { Api } from "./schemas.ts";

/** One document for each operation, with a variable for each argument; it selects every field of the answer. */
export function documentsOf(api: Api): string[] {
  return operationsOf(api.schema, api).map(documentOf);
}

function documentOf(operation: Operation): string {
  return `${headOf(operation)}${inBraces(selectionOf(operation.field.type))} }`;
}

/** The beginning of a document, up to the selection of its one root field. */
export function headOf({ name, kind, field }: Operation): string {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const variables = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(", ");
  const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const call = passed === "" ? name : `${name}(${passed})`;
  const head = variables === "" ? title : `${title}(${variables})`;
  return `${kind} ${head} { ${call}`;
}

/** Every field below a type, as the text between the braces; empty for scalars and enums. */
export function selectionOf(type: GraphQLOutputType, above: readonly string[] = []): string {
  const named = getNamedType(type);
  if (isUnionType(named)) return unionSelection(named);
  if (!isObjectType(named)) return "";
  if (above.includes(named.name)) throw new Error(`${named.name} contains itself: choose its fields in a document.`);
  return fieldsSelection(named, above);
}

function fieldsSelection(type: GraphQLObjectType, above: readonly string[], without: readonly string[] = []): string {
  const fields = Object.values(type.getFields()).filter(({ name }) => !without.includes(name));
  return fields
    .map(({ name, args, type: fieldType }) => {
      if (args.length > 0) throw new Error(`${type.name}.${name} has arguments: choose its fields in a document.`);
      return `${name}${inBraces(selectionOf(fieldType, [...above, type.name]))}`;
    })
    .join(" ");
}

/** Fields of an interface are selected once for all members, so that a member added later answers with them as well. */
function unionSelection(union: GraphQLUnionType): string {
  const members = union.getTypes();
  const shared = [...new Set(members.flatMap((member) => member.getInterfaces()))];
  const parts = [
    ...shared.map((each) => ({ name: each.name, fields: Object.keys(each.getFields()).join(" ") })),
    ...members.map((member) => {
      const without = member.getInterfaces().flatMap((each) => Object.keys(each.getFields()));
      return { name: member.name, fields: fieldsSelection(member, [], without) };
    }),
  ];
  const fragments = parts
    .filter(({ fields }) => fields !== "")
    .map(({ name, fields }) => `... on ${name} { ${fields} }`);
  return ["__typename", ...fragments].join(" ");
}

function inBraces(selection: string): string {
  return selection === "" ? "" : ` { ${selection} }`;
}
