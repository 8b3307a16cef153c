import { badUserInput, type Refusal } from "@social-connect/domain";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUnusedFragmentsRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  TypeInfo,
  UniqueFragmentNamesRule,
  ValidationContext,
  type ValidationRule,
  validate,
  visitInParallel,
} from "graphql";
import { asksForSchema, NO_INTROSPECTION } from "../responses/introspection.ts";
import { refusalError } from "../responses/serializeError.ts";
import { NamedScalarsRule } from "./namedScalarsRule.ts";
import { withPosition } from "./withPosition.ts";

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

/**
 * Checked before the limits, which count what an operation reaches: afterwards it reaches every fragment, each spread names
 * one, and none repeats. Other rules compare all pairs of spreads (680 unknown ones took 40 ms), or follow each spread
 * again (20 unused fragments that spread the next one twice took 0.3 s, 30 would take minutes).
 */
const FRAGMENT_RULES = [
  UniqueFragmentNamesRule,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUnusedFragmentsRule,
] as const;
/** More than a document within the limits needs. A chain of 170 fragments took 14 ms. */
const MAX_FRAGMENTS = 32;
const TOO_MANY_FRAGMENTS = badUserInput(`A document must contain at most ${MAX_FRAGMENTS} fragments.`);
const RULES = [NamedScalarsRule, ...specifiedRules];

/** Parses a document, checks its fragments and limits, and validates it. Source: service description, parts 4, 7 and 8. */
export function readDocument(text: string, rules: DocumentRules): ReadDocument {
  const read = checkedDocument(text, rules);
  return { ...read, errors: read.errors.map((error) => withPosition(error, text, read.document)) };
}

function checkedDocument(text: string, { schema, maxTokens, checkLimits }: DocumentRules): ReadDocument {
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return { document: null, operation: null, errors: [error] };
    throw error;
  }
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.length === 1 ? (operations[0] ?? null) : null;
  // Before any limit: tools send a document that is too deep, and would learn only that.
  if (asksForSchema(text, document)) {
    return { document, operation, errors: [refusalError(NO_INTROSPECTION)] };
  }
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  if (fragments.length > MAX_FRAGMENTS) return { document, operation, errors: [refusalError(TOO_MANY_FRAGMENTS)] };
  const fragmentErrors = firstError(schema, document, FRAGMENT_RULES);
  if (fragmentErrors.length > 0) return { document, operation, errors: fragmentErrors };
  const violation = checkLimits(document);
  if (violation !== null) return { document, operation, errors: [refusalError(violation)] };
  const errors = firstError(schema, document, RULES);
  // Validation accepts an operation that the schema has no type for, a subscription.
  if (errors.length === 0 && operation !== null && !schema.getRootType(operation.operation)) {
    const nodes = [operation];
    return { document, operation, errors: [new GraphQLError("Only queries and mutations are supported.", { nodes })] };
  }
  return { document, operation, errors };
}

/**
 * Validates up to the first error, the only one in the response. With `maxErrors: 1` validation continues to a second error,
 * which doubled the time of a document with misspelt names.
 */
function firstError(schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[]): GraphQLError[] {
  const types = new TypeInfo(schema);
  const context = new ValidationContext(schema, document, types, (error) => {
    throw error;
  });
  try {
    validate(schema, document, [() => visitInParallel(rules.map((rule) => rule(context)))], undefined, types);
    return [];
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/** The error for a name in the request that is not its operation's; null for the right name and for none. */
export function checkOperationName(operation: OperationDefinitionNode, name: string | undefined): GraphQLError | null {
  if (name === undefined || name === operation.name?.value) return null;
  return new GraphQLError(`Unknown operation named "${name}".`);
}
