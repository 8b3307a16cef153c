import { assertObjectType, buildSchema, type GraphQLSchema, isNonNullType } from "graphql";
import { type Observe, observer } from "./observe.ts";
import { ADMIN_SCHEMA_TEXT, CONSUMER_SCHEMA_TEXT } from "./schemaTexts.ts";

/** The published contracts, whose types distinguish enum values and codes from other strings of a response. */
export const CONSUMER_SCHEMA = buildSchema(CONSUMER_SCHEMA_TEXT);
export const ADMIN_SCHEMA = buildSchema(ADMIN_SCHEMA_TEXT);

/** Its queries and mutations. */
export function rootFieldsOf(schema: GraphQLSchema) {
  return { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
}

/** One of the service's two APIs: its path, and what its exchanges show. */
export interface Api {
  readonly path: string;
  readonly observe: Observe;
}

export const CONSUMER_API: Api = { path: "/graphql", observe: observer(CONSUMER_SCHEMA) };
/** Its observations have a prefix: `admin-operation:createClient`, `admin-reason:LAST_ORIGIN`. */
export const ADMIN_API: Api = { path: "/api/admin/graphql", observe: observer(ADMIN_SCHEMA, "admin-") };

/** The fields of a post that are null once it expired, when `reason` is EXPIRED. */
export const CONTENT_FIELDS: readonly string[] = Object.values(
  assertObjectType(CONSUMER_SCHEMA.getType("ContentItem")).getFields(),
).flatMap(({ name, type }) => (isNonNullType(type) || name === "reason" ? [] : [name]));
