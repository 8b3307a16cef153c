import { readFileSync } from "node:fs";
import { ADMIN_OPERATIONS, API_KEY_OPERATIONS, CONSUMER_OPERATIONS } from "@social-connect/contract";
import type { GraphQLField, GraphQLSchema, ObjectTypeDefinitionNode } from "graphql";
import { buildSchema, Kind, parse, print, visit } from "graphql";

/** Queries of the admin API that answer null without an error. */
const NULLABLE_QUERIES: readonly string[] = ["auditEntry"];

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

/** An operation with its field of the schema. */
export interface Operation {
  readonly name: string;
  readonly kind: "query" | "mutation";
  readonly field: GraphQLField<unknown, unknown>;
}

/** A schema with the operations that code is generated for. */
export interface Api {
  readonly schema: GraphQLSchema;
  readonly operations: readonly Operation[];
}

export const consumerApi = (): Api => apiOf(schemaText("consumer"), CONSUMER_OPERATIONS);
/** The operations that an API key may call. */
export const apiKeyApi = (): Api => apiOf(adminSchemaForClients(), API_KEY_OPERATIONS);
/** All operations of the admin API. */
export const adminApi = (): Api => apiOf(adminSchemaForClients(), ADMIN_OPERATIONS);

function apiOf(text: string, listed: Readonly<Record<string, { readonly kind: Operation["kind"] }>>): Api {
  const schema = buildSchema(text);
  const operations = Object.entries(listed).map(([name, { kind }]) => {
    const root = kind === "query" ? schema.getQueryType() : schema.getMutationType();
    const field = root?.getFields()[name];
    if (field === undefined) throw new Error(`The schema has no ${kind} ${name}, which operations.ts lists.`);
    return { name, kind, field };
  });
  return { schema, operations };
}
