import { channel } from "node:diagnostics_channel";
import type { DocumentRules } from "@social-connect/transport";
import { checkOperationName, readDocument, rootFields } from "@social-connect/transport";
import type {
  ASTNode,
  DocumentNode,
  ExecutionResult,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
} from "graphql";
import { BREAK, execute, getVariableValues, Kind, visit } from "graphql";
import type { CompiledQuery } from "graphql-jit";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import type { CacheLimits } from "./documentCache.ts";
import { DocumentCache } from "./documentCache.ts";
import { documentSize } from "./documentSize.ts";

export interface DocumentOptions extends DocumentRules {
  readonly cache: CacheLimits;
  /** Documents that are prepared at start-up, for every caller. */
  readonly commonDocuments?: readonly string[];
  /** The run at which a document is compiled; infinity: never. */
  readonly compiledAtRun?: number;
}

/** A valid document within the limits, ready to run. */
export interface ReadyDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** For logs and metrics: its operation of the schema, `multiple` or `other`. */
  readonly label: string;
  /** Estimated memory once compiled. */
  readonly bytes: number;
  /** Errors without data: the variables are invalid, and nothing ran. */
  run(variables: Readonly<Record<string, unknown>>, context: object): Promise<ExecutionResult>;
}

/** Compilation takes a few milliseconds, which it saves after a few dozen runs. */
const COMPILED_AT_RUN = 8;
/**
 * Strings, booleans and enum values are written as resolvers return them: their types guarantee them, and serializing each
 * took a third of the time of a page of posts. DateTime and DecimalCount are serialized.
 */
const COMPILER_OPTIONS = { disableLeafSerialization: true };
/** The response has the first error only. Each took 0.6 ms to write, and a list can have thousands. */
const MAX_VARIABLE_ERRORS = 1;
/** A larger document is interpreted, because its compiled form would fill most of its owner's share. */
const MAX_COMPILED_BYTES = 400_000;

/** Published when a document was parsed and validated, e.g. for tests of the cache. */
export const documentPrepared = channel("social-connect:document-prepared");

/**
 * Prepares documents: parses them, checks the limits and validates them. Documents of authenticated callers are cached
 * by source, because an application sends the same few all day and preparing one is most of the cost of a small
 * response. Nothing else of a request is cached.
 */
export class Documents {
  readonly #rules: DocumentOptions;
  readonly #cache: DocumentCache<ReadyDocument>;
  /** The documents that callers without a key send most, prepared at start-up. */
  readonly #common: ReadonlyMap<string, ReadyDocument>;

  constructor(rules: DocumentOptions) {
    this.#rules = rules;
    this.#cache = new DocumentCache(rules.cache);
    this.#common = new Map((rules.commonDocuments ?? []).map((text) => [text, prepareOwn(text, rules)]));
  }

  /**
   * Returns the prepared document of a source, or why it is rejected. `owner`: whose cached documents to use; null for
   * an unauthenticated caller. `operationName`, if given, must name the document's operation.
   */
  get(text: string, owner: string | null, operationName?: string): ReadyDocument | readonly GraphQLError[] {
    const cached = this.#common.get(text) ?? (owner === null ? undefined : this.#cache.get(owner, text));
    const taken = cached ?? prepare(text, this.#rules);
    if (isRefused(taken)) return taken;
    const unknown = checkOperationName(taken.operation, operationName);
    return unknown === null ? taken : [unknown];
  }

  /** Caches the document of an authenticated caller and returns the cached one to run. */
  cache(owner: string, text: string, document: ReadyDocument): ReadyDocument {
    if (this.#common.has(text)) return document;
    return this.#cache.get(owner, text) ?? this.#cache.set(owner, text, document, document.bytes);
  }
}

export function isRefused(taken: ReadyDocument | readonly GraphQLError[]): taken is readonly GraphQLError[] {
  return Array.isArray(taken);
}

function prepareOwn(text: string, rules: DocumentOptions): ReadyDocument {
  const prepared = prepare(text, rules);
  if (isRefused(prepared)) throw new Error(`A common document is rejected: ${text}`);
  return prepared;
}

function prepare(text: string, rules: DocumentOptions): ReadyDocument | readonly GraphQLError[] {
  const { document, operation, errors } = readDocument(text, rules);
  if (errors.length > 0) return errors;
  if (document === null || operation === null) throw new Error("A document without an operation passed the limits.");
  if (documentPrepared.hasSubscribers) documentPrepared.publish({ text });
  return new Runnable(text, document, operation, rules);
}

class Runnable implements ReadyDocument {
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
  readonly label: string;
  readonly bytes: number;
  readonly #schema: GraphQLSchema;
  readonly #compiledAtRun: number;
  #runs = 0;
  #compiled: CompiledQuery | null = null;

  constructor(text: string, document: DocumentNode, operation: OperationDefinitionNode, rules: DocumentOptions) {
    const { parsedBytes, compiledBytes } = documentSize(text, document);
    const isCompilable = compiledBytes <= MAX_COMPILED_BYTES && isCompilableExactly(document, operation);
    this.document = document;
    this.label = labelOf(document);
    this.operation = operation;
    this.#schema = rules.schema;
    this.#compiledAtRun = isCompilable ? (rules.compiledAtRun ?? COMPILED_AT_RUN) : Number.POSITIVE_INFINITY;
    this.bytes = parsedBytes + (Number.isFinite(this.#compiledAtRun) ? compiledBytes : 0);
  }

  async run(variables: Readonly<Record<string, unknown>>, context: object): Promise<ExecutionResult> {
    this.#runs += 1;
    if (this.#runs === this.#compiledAtRun) this.#compiled = this.#compile();
    if (this.#compiled === null) return this.#interpret(variables, context);
    // The reference implementation validates the variables in both cases, so that the errors are the same.
    const definitions = this.operation.variableDefinitions ?? [];
    const { errors } = getVariableValues(this.#schema, definitions, variables, { maxErrors: MAX_VARIABLE_ERRORS });
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
      options: { maxCoercionErrors: MAX_VARIABLE_ERRORS },
    });
  }

  /** null when the compiler does not support the document, which is then always interpreted. */
  #compile(): CompiledQuery | null {
    const compiled = compileQuery(this.#schema, this.document, this.operation.name?.value, COMPILER_OPTIONS);
    return isCompiledQuery(compiled) ? compiled : null;
  }
}

/**
 * False for documents that compiled code would answer differently:
 *
 * - A variable, alias or fragment has the name of a property that every object inherits, such as `constructor`. Compiled code
 *   reads variables from ordinary objects and writes results into them, so it would find the inherited property.
 * - A variable that may be absent is part of an input object or a list. Compiled code passes null in its place.
 */
function isCompilableExactly(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode): boolean {
  const optional = variableDefinitions.filter((one) => one.type.kind !== Kind.NON_NULL_TYPE && !one.defaultValue);
  const names = new Set(optional.map(({ variable }) => variable.name.value));
  let isExact = true;
  const allow = (isAllowed: boolean) => {
    isExact &&= isAllowed;
    return isExact ? undefined : BREAK;
  };
  visit(document, {
    Name: ({ value }) => allow(!(value in Object.prototype)),
    Variable: ({ name }, _key, parent) => allow(!isPartOfInput(parent) || !names.has(name.value)),
  });
  return isExact;
}

/** A list's values are an array. */
function isPartOfInput(parent: ASTNode | readonly ASTNode[] | undefined): boolean {
  return parent !== undefined && (!("kind" in parent) || parent.kind === Kind.OBJECT_FIELD);
}

/** A valid document names fields of the schema only, so there are as many labels as operations. */
function labelOf(document: DocumentNode): string {
  const [first, ...others] = new Set(rootFields(document));
  if (first === undefined || first.startsWith("__")) return "other";
  return others.length === 0 ? first : "multiple";
}
