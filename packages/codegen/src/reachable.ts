import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from "graphql";
import type { Operation } from "./operations.ts";

/** The types that the answers and the arguments of operations consist of, sorted by name; a type follows what it contains. */
export interface Reachable {
  readonly objects: readonly GraphQLObjectType[];
  readonly inputs: readonly GraphQLInputObjectType[];
  readonly enums: readonly GraphQLEnumType[];
  /** Enums that a caller sends; a response may contain a value that the caller's version does not know. */
  readonly sentEnums: readonly GraphQLEnumType[];
}

export function reachableFrom(operations: readonly Operation[]): Reachable {
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
    sentEnums: [...sent].filter(isEnumType),
  };
}
