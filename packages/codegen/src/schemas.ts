import { readFileSync } from "node:fs";
import { ADMIN_OPERATIONS, API_KEY_OPERATIONS, CONSUMER_OPERATIONS } from "@social-connect/contract";
import { buildSchema, type GraphQLSchema, Kind, type ObjectTypeDefinitionNode, parse, print, visit } from "graphql";
import type { OperationsConfig } from "./operations.ts";

/** Queries of the admin API that answer null without an error. */
const NULLABLE_QUERIES: readonly string[] = ["auditEntry", "auditChanges"];

export function schemaText(api: "consumer" | "admin"): string {
  return readFileSync(new URL(`../../contract/${api}.graphql`, import.meta.url), "utf8");
}

/**
 * The admin schema with non-null root fields. The published root fields are nullable so that an error removes only its own
 * field from `data`; a client that throws the first error never sees such a null.
 */
export function adminSchemaForClients(): string {
  const document = visit(parse(schemaText("admin")), {
    ObjectTypeDefinition: (node): ObjectTypeDefinitionNode | undefined => {
      if (!["Query", "Mutation"].includes(node.name.value)) return undefined;
      const fields = node.fields?.map((field) => {
        const isKept = field.type.kind === Kind.NON_NULL_TYPE || NULLABLE_QUERIES.includes(field.name.value);
        return isKept ? field : { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } as const };
      });
      return { ...node, fields: fields ?? [] };
    },
  });
  return print(document);
}

/** A schema with its operations. */
export interface Api extends OperationsConfig {
  readonly schema: GraphQLSchema;
}

export const CONSUMER_API: Api = { schema: buildSchema(schemaText("consumer")), operations: CONSUMER_OPERATIONS };
const ADMIN_SCHEMA = buildSchema(adminSchemaForClients());
/** The operations that an API key may call. */
export const API_KEY_API: Api = { schema: ADMIN_SCHEMA, operations: API_KEY_OPERATIONS };
/** All operations of the admin API. */
export const ADMIN_API: Api = { schema: ADMIN_SCHEMA, operations: ADMIN_OPERATIONS };
