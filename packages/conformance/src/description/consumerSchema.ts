import {
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { CONSUMER_SCHEMA } from "../wire/apis.ts";

export const ENUMERATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(CONSUMER_SCHEMA.getTypeMap())
    .filter((type) => isEnumType(type) && !isIntrospectionType(type))
    .map((type) => [type.name, isEnumType(type) ? type.getValues().map(({ name }) => name) : []]),
);

/** The fields of a post that are null once it expired, when `reason` is EXPIRED. */
export const CONTENT_FIELDS: readonly string[] = fieldsOf(CONSUMER_SCHEMA.getType("ContentItem")).flatMap(
  ({ name, type }) => (isNonNullType(type) || name === "reason" ? [] : [name]),
);

/** Every field of a type, each once, as a selection. */
export function selectionOf(type: string): string {
  const fields = fieldsOf(CONSUMER_SCHEMA.getType(type));
  if (fields.length === 0) return "";
  return `{ ${fields.map((field) => `${field.name} ${selectionOf(getNamedType(field.type).name)}`).join(" ")} }`;
}

function fieldsOf(type: GraphQLNamedType | undefined) {
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}
