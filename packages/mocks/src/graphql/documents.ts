import type { Refusal } from "@social-connect/domain";
import { checkDocumentLimits, MAX_DOCUMENT_TOKENS, UNKNOWN_OPERATION_KIND_MESSAGE } from "@social-connect/domain";
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import {
  GraphQLError,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";

/** A cached document with its validation errors. */
export interface KnownDocument {
  readonly document: DocumentNode | null;
  readonly errors: readonly GraphQLError[];
}

/** A test has a few dozen documents. */
const MAX_DOCUMENTS = 500;

/** Parses and validates documents, cached by source text. Limits are checked before validation. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #check: (document: DocumentNode) => Refusal | null;
  readonly #maxTokens: number;
  readonly #known = new Map<string, KnownDocument>();

  constructor(
    schema: GraphQLSchema,
    check: (document: DocumentNode) => Refusal | null = checkDocumentLimits,
    maxTokens: number = MAX_DOCUMENT_TOKENS,
  ) {
    this.#schema = schema;
    this.#check = check;
    this.#maxTokens = maxTokens;
  }

  read(text: string): KnownDocument {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const read = this.#read(text);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_DOCUMENTS && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(text, read);
    return read;
  }

  #read(text: string): KnownDocument {
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: this.#maxTokens });
    } catch (error) {
      return { document: null, errors: [error instanceof GraphQLError ? error : new GraphQLError("not a document")] };
    }
    const violation = this.#check(document);
    if (violation !== null) {
      return { document, errors: [new GraphQLError(violation.message, { extensions: { code: violation.code } })] };
    }
    const rules = [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(this.#schema, document, rules, { maxErrors: 1 });
    const kinds = document.definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? [one.operation] : [],
    );
    const isUnknown = kinds.some((kind) => this.#schema.getRootType(kind) == null);
    if (errors.length > 0 || !isUnknown) return { document, errors };
    return { document, errors: [new GraphQLError(UNKNOWN_OPERATION_KIND_MESSAGE)] };
  }
}

/** The operation with the requested name, or the only one; null when it does not exist. */
export function operationOf(document: DocumentNode | null, operationName?: string): OperationDefinitionNode | null {
  return document === null ? null : (getOperationAST(document, operationName) ?? null);
}
