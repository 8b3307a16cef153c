import { type GraphQLType, getNamedType, isEnumType, isInputObjectType, isObjectType, isUnionType } from "graphql";
import type { Operation } from "./operations.ts";

/** The types that the answers and the arguments of operations consist of, sorted by name; a type follows what it contains. */
export function reachableFrom(operations: readonly Operation[]) {
  const answered = new Set<GraphQLType>();
  const sent = new Set<GraphQLType>();
  const visit = (type: GraphQLType, seen: Set<GraphQLType>): void => {
    const named = getNamedType(type);
    if (seen.has(named)) return;
    if (isUnionType(named)) for (const member of named.getTypes()) visit(member, seen);
    else if (isObjectType(named) || isInputObjectType(named)) {
      for (const field of Object.values(named.getFields())) visit(field.type, seen);
    }
    seen.add(named);
  };
  for (const { field } of operations) {
    visit(field.type, answered);
    for (const arg of field.args) visit(arg.type, sent);
  }
  const all = [...answered, ...sent];
  return {
    objects: all.filter(isObjectType),
    inputs: all.filter(isInputObjectType),
    enums: [...new Set(all.filter(isEnumType))].sort((a, b) => a.name.localeCompare(b.name)),
    // A response may contain a value that the caller's version does not know.
    sentEnums: [...sent].filter(isEnumType),
  };
}
