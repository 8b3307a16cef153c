import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from "graphql";
import { ADMIN_SCHEMA } from "./apis.ts";

export function isAdminQuery(name: string): boolean {
  return ADMIN_SCHEMA.getQueryType()?.getFields()[name] !== undefined;
}

/** A minimal document for an operation of the admin schema, with valid arguments. */
export function anyDocument(name: string): { readonly query: string; readonly variables: Record<string, unknown> } {
  const kind = isAdminQuery(name) ? "query" : "mutation";
  const field: GraphQLField<unknown, unknown> | undefined =
    ADMIN_SCHEMA.getQueryType()?.getFields()[name] ?? ADMIN_SCHEMA.getMutationType()?.getFields()[name];
  if (field === undefined) throw new Error(`The admin schema has no ${name}.`);
  const needed = field.args.filter((arg) => isNonNullType(arg.type));
  const declared = needed.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(", ");
  const passed = needed.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const selection = isLeafType(getNamedType(field.type)) ? "" : " { __typename }";
  return {
    query: `${kind}${declared && `(${declared})`} { ${name}${passed && `(${passed})`}${selection} }`,
    variables: Object.fromEntries(needed.map((arg) => [arg.name, anyValue(arg.type)])),
  };
}

function anyValue(type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [];
  const named = getNamedType(nullable);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (isInputObjectType(named)) {
    const needed = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(needed.map((field) => [field.name, anyValue(field.type)]));
  }
  return { Boolean: false, Int: 1, Float: 1 }[named.name] ?? "00000000-0000-4000-8000-000000000000";
}
