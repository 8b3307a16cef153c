import type { Refusal } from "@social-connect/domain";
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { GraphQLError, Kind, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from "graphql";
import { refusalError } from "../responses/serializeError.ts";

export interface DocumentRules {
  readonly schema: GraphQLSchema;
  /** A longer document is not parsed to its end. */
  readonly maxTokens: number;
  /** Checks a document before validation. It only accepts documents with one operation. */
  readonly checkLimits: (document: DocumentNode) => Refusal | null;
}

export interface ReadDocument {
  /** null when the text is not a document. */
  readonly document: DocumentNode | null;
  readonly operation: OperationDefinitionNode | null;
  /** Why the document must not run; empty when it may. */
  readonly errors: readonly GraphQLError[];
}

const RULES = [...specifiedRules, NoSchemaIntrospectionCustomRule];

/** Parses a document, checks its limits and validates it. Source: service description, parts 4, 7 and 8. */
export function readDocument(text: string, { schema, maxTokens, checkLimits }: DocumentRules): ReadDocument {
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return { document: null, operation: null, errors: [error] };
    throw error;
  }
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.length === 1 ? (operations[0] ?? null) : null;
  const violation = checkLimits(document);
  if (violation !== null) return { document, operation, errors: [refusalError(violation)] };
  const errors = validate(schema, document, RULES, { maxErrors: 1 });
  // Validation accepts an operation that the schema has no type for, a subscription.
  if (errors.length === 0 && operation !== null && !schema.getRootType(operation.operation)) {
    return { document, operation, errors: [new GraphQLError("Only queries and mutations are supported.")] };
  }
  return { document, operation, errors };
}

/** The error for a name in the request that is not its operation's; null for the right name and for none. */
export function checkOperationName(operation: OperationDefinitionNode, name: string | undefined): GraphQLError | null {
  if (name === undefined || name === operation.name?.value) return null;
  return new GraphQLError(`Unknown operation named "${name}".`);
}
