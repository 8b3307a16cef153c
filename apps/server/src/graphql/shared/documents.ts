import { channel } from "node:diagnostics_channel";
import type { Refusal } from "@social-connect/domain";
import { UNKNOWN_OPERATION_KIND_MESSAGE } from "@social-connect/domain";
import type { DocumentNode, ExecutionResult, GraphQLSchema, OperationDefinitionNode } from "graphql";
import {
  execute,
  GraphQLError,
  getVariableValues,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { CompiledQuery } from "graphql-jit";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import type { CacheLimits } from "./documentCache.ts";
import { DocumentCache } from "./documentCache.ts";
import { documentSize } from "./documentSize.ts";
import { asError } from "./readRequest.ts";

export interface DocumentRules {
  readonly schema: GraphQLSchema;
  /** A longer document is not even parsed to its end. */
  readonly maxTokens: number;
  /** Looks at a document before it is validated. It lets documents of one operation through alone. */
  readonly checkLimits: (document: DocumentNode) => Refusal | null;
  readonly cache: CacheLimits;
  /** Documents that are ready from the start, for every caller. */
  readonly commonTexts?: readonly string[];
  /** The run of a document at which it is compiled; never, with infinity. */
  readonly compiledAtRun?: number;
}

/** A document that keeps all rules, ready to run. */
export interface ReadyDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Estimated memory, compiled. */
  readonly bytes: number;
  /** Errors without data: the variables do not fit, and nothing ran. */
  run(variables: Readonly<Record<string, unknown>>, context: object): Promise<ExecutionResult>;
}

const RULES = [...specifiedRules, NoSchemaIntrospectionCustomRule];
/** Compiling takes some milliseconds, which pay after a few dozen runs. */
const COMPILED_AT_RUN = 8;
/** A document whose compiled form may take more is interpreted: it would use up most of its owner's share. */
const MAX_COMPILED_BYTES = 400_000;

/** Tells whoever listens, e.g. a test of the cache, that a document was parsed and validated. */
export const documentPrepared = channel("social-connect:document-prepared");

/**
 * Takes documents in: parsed, within the limits, valid. Those of authenticated callers are cached by their text, because an
 * application sends the same few all day, which saves most of what a small answer costs; nobody else's is. Nothing of a
 * request is cached but its document.
 */
export class Documents {
  readonly #rules: DocumentRules;
  readonly #cache: DocumentCache<ReadyDocument>;
  /** Texts that callers without a key send most: a fixed set, ready from the start. */
  readonly #common: ReadonlyMap<string, ReadyDocument>;

  constructor(rules: DocumentRules) {
    this.#rules = rules;
    this.#cache = new DocumentCache(rules.cache);
    this.#common = new Map((rules.commonTexts ?? []).map((text) => [text, prepareOwn(text, rules)]));
  }

  /**
   * The document of a text, or why it is refused. `owner` is whose cached documents to use; null for none. A name, where
   * one is given, has to be its operation's.
   */
  take(text: string, owner: string | null, operationName?: string): ReadyDocument | readonly GraphQLError[] {
    const cached = this.#common.get(text) ?? (owner === null ? undefined : this.#cache.get(owner, text));
    const taken = cached ?? prepare(text, this.#rules);
    if (isRefused(taken) || operationName === undefined || operationName === taken.operation.name?.value) return taken;
    return [new GraphQLError(`Unknown operation named "${operationName}".`)];
  }

  /** Caches the document of an authenticated caller, and gives the one to run. */
  keep(owner: string, text: string, document: ReadyDocument): ReadyDocument {
    if (this.#common.has(text)) return document;
    return this.#cache.get(owner, text) ?? this.#cache.set(owner, text, document, document.bytes);
  }
}

export function isRefused(taken: ReadyDocument | readonly GraphQLError[]): taken is readonly GraphQLError[] {
  return Array.isArray(taken);
}

/** A document of the service's own. */
function prepareOwn(text: string, rules: DocumentRules): ReadyDocument {
  const prepared = prepare(text, rules);
  if (isRefused(prepared)) throw new Error(`A common document is refused: ${text}`);
  return prepared;
}

function prepare(text: string, rules: DocumentRules): ReadyDocument | readonly GraphQLError[] {
  const { schema, maxTokens, checkLimits } = rules;
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
  const violation = checkLimits(document);
  if (violation !== null) return [asError(violation)];
  const errors = validate(schema, document, RULES, { maxErrors: 1 });
  if (errors.length > 0) return errors;
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error("A document without an operation passed the limits.");
  // Validation lets an operation pass that the schema has no type for, a subscription: only running it would say so.
  if (!schema.getRootType(operation.operation)) return [new GraphQLError(UNKNOWN_OPERATION_KIND_MESSAGE)];
  if (documentPrepared.hasSubscribers) documentPrepared.publish({ text });
  return new Runnable(text, document, operation, rules);
}

class Runnable implements ReadyDocument {
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
  readonly bytes: number;
  readonly #schema: GraphQLSchema;
  readonly #compiledAtRun: number;
  #runs = 0;
  #compiled: CompiledQuery | null = null;

  constructor(text: string, document: DocumentNode, operation: OperationDefinitionNode, rules: DocumentRules) {
    const { parsedBytes, compiledBytes } = documentSize(text, document);
    // The compiler writes answers into ordinary objects, in which a field that a caller names `__proto__` is lost.
    const isCompilable = compiledBytes <= MAX_COMPILED_BYTES && !text.includes("__proto__");
    this.document = document;
    this.operation = operation;
    this.#schema = rules.schema;
    this.#compiledAtRun = isCompilable ? (rules.compiledAtRun ?? COMPILED_AT_RUN) : Number.POSITIVE_INFINITY;
    this.bytes = parsedBytes + (Number.isFinite(this.#compiledAtRun) ? compiledBytes : 0);
  }

  async run(variables: Readonly<Record<string, unknown>>, context: object): Promise<ExecutionResult> {
    this.#runs += 1;
    if (this.#runs === this.#compiledAtRun) this.#compiled = this.#compile();
    if (this.#compiled === null) return this.#interpret(variables, context);
    // The reference implementation judges the variables in both cases, so that a refusal reads the same.
    const { errors } = getVariableValues(this.#schema, this.operation.variableDefinitions ?? [], variables);
    if (errors !== undefined) return { errors };
    return this.#compiled.query(undefined, context, variables);
  }

  #interpret(
    variables: Readonly<Record<string, unknown>>,
    context: object,
  ): ExecutionResult | Promise<ExecutionResult> {
    return execute({
      schema: this.#schema,
      document: this.document,
      variableValues: variables,
      contextValue: context,
    });
  }

  /** null where the compiler does not know something; then it is interpreted ever after. */
  #compile(): CompiledQuery | null {
    const compiled = compileQuery(this.#schema, this.document, this.operation.name?.value);
    return isCompiledQuery(compiled) ? compiled : null;
  }
}
