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

/** A document that was read before; `errors` are those that keep it from being run. */
export interface KnownDocument {
  readonly document: DocumentNode | null;
  readonly errors: readonly GraphQLError[];
}

/** So many documents are remembered; a test has a few dozen. */
const REMEMBERED = 500;

/** Reads and checks documents, each text once. The limits come first: what is too deep or too wide is not even validated. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #check: (document: DocumentNode) => Refusal | null;
  readonly #mostTokens: number;
  readonly #known = new Map<string, KnownDocument>();

  constructor(
    schema: GraphQLSchema,
    check: (document: DocumentNode) => Refusal | null = checkDocumentLimits,
    mostTokens: number = MAX_DOCUMENT_TOKENS,
  ) {
    this.#schema = schema;
    this.#check = check;
    this.#mostTokens = mostTokens;
  }

  read(text: string): KnownDocument {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const read = this.#read(text);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(text, read);
    return read;
  }

  #read(text: string): KnownDocument {
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: this.#mostTokens });
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

/** The operation that a request names, or the only one; null when there is none such. */
export function operationOf(document: DocumentNode | null, operationName?: string): OperationDefinitionNode | null {
  return document === null ? null : (getOperationAST(document, operationName) ?? null);
}
