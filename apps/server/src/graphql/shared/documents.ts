import { channel } from "node:diagnostics_channel";
import { checkOperationName, type DocumentRules, readDocument, rootFields } from "@social-connect/transport";
import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import { documentSize } from "./documentSize.ts";

export interface DocumentOptions extends DocumentRules {
  /** How many owners have cached documents at the same time. */
  readonly owners: number;
  /** Maximum estimated size of one owner's documents. */
  readonly ownerBytes: number;
  /** Documents that are prepared at start-up, for every caller. */
  readonly commonDocuments?: readonly string[];
  /** The run at which a document is compiled; infinity: never. */
  readonly compiledAtRun?: number;
}

/** Compilation takes a few milliseconds, which it saves after a few dozen runs. */
const COMPILED_AT_RUN = 8;
/** A larger document is interpreted, because its compiled form would fill most of its owner's share. */
const MAX_COMPILED_BYTES = 400_000;
/**
 * Strings, booleans and enum values are written as resolvers return them: their types guarantee them, and serializing each
 * took a third of the time of a page of posts. DateTime and DecimalCount are serialized.
 */
const COMPILER_OPTIONS = { disableLeafSerialization: true };
/** The response has the first error only. Each took 0.6 ms to write, and a list can have thousands. */
const MAX_VARIABLE_ERRORS = 1;

/** Published when a document was parsed and validated, e.g. for tests of the cache. */
export const documentPrepared = channel("social-connect:document-prepared");

/**
 * Prepares documents: parses them, checks the limits and validates them. Each owner has a separate cache, because an
 * application sends the same few documents all day and preparing one is most of the cost of a small response.
 */
export class Documents {
  readonly #options: DocumentOptions;
  readonly #cached: LRUCache<string, LRUCache<string, ReadyDocument>>;
  /** The documents that callers without a key send most. */
  readonly #common: ReadonlyMap<string, ReadyDocument>;

  constructor(options: DocumentOptions) {
    const { owners, ownerBytes, commonDocuments = [] } = options;
    this.#options = options;
    this.#cached = new LRUCache({
      max: owners,
      memoMethod: () => new LRUCache({ maxSize: ownerBytes, sizeCalculation: ({ bytes }) => bytes }),
    });
    this.#common = new Map(commonDocuments.map((text) => [text, prepare(text, options)]));
  }

  /**
   * The document of a source; throws why it is rejected. `owner`: whose cached documents to use; null for an
   * unauthenticated caller. `operationName`, if given, must name the document's operation. `onLabel` gets the label, also of a
   * document that is rejected after it was parsed.
   */
  get(
    text: string,
    owner: string | null,
    operationName?: string,
    onLabel: (label: string) => void = () => undefined,
  ): ReadyDocument {
    const cached = this.#common.get(text) ?? (owner === null ? undefined : this.#cached.get(owner)?.get(text));
    const document = cached ?? prepare(text, this.#options, onLabel);
    onLabel(document.label);
    const unknown = checkOperationName(document.operation, operationName);
    if (unknown !== null) throw unknown;
    return document;
  }

  /** Caches the document of an authenticated caller and returns the one to run. */
  keep(owner: string, document: ReadyDocument): ReadyDocument {
    if (this.#common.has(document.text)) return document;
    const cached = this.#cached.memo(owner);
    const known = cached.get(document.text);
    if (known === undefined) cached.set(document.text, document);
    return known ?? document;
  }
}

function prepare(text: string, options: DocumentOptions, onLabel?: (label: string) => void): ReadyDocument {
  const { document, operation, errors } = readDocument(text, options);
  if (errors[0] !== undefined) {
    if (operation !== null) onLabel?.(labelOfInvalid(operation, options.schema));
    throw errors[0];
  }
  if (document === null || operation === null) throw new Error("A document without an operation passed the limits.");
  if (documentPrepared.hasSubscribers) documentPrepared.publish({ text });
  return new ReadyDocument(text, document, operation, options);
}

/** A valid document within the limits, ready to run. */
export class ReadyDocument {
  readonly text: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The names of its root fields, with repetitions. */
  readonly roots: readonly string[];
  /** For logs and metrics: its operation of the schema, `multiple` or `other`. */
  readonly label: string;
  /** Estimated memory once compiled. */
  readonly bytes: number;
  readonly #schema: GraphQLSchema;
  readonly #compiledAtRun: number;
  #runs = 0;
  #compiled: CompiledQuery | null = null;

  constructor(text: string, document: DocumentNode, operation: OperationDefinitionNode, options: DocumentOptions) {
    const { parsedBytes, compiledBytes } = documentSize(text, document);
    const isCompilable = compiledBytes <= MAX_COMPILED_BYTES && isCompilableExactly(document, operation);
    this.text = text;
    this.document = document;
    this.operation = operation;
    this.roots = rootFields(document);
    this.label = labelOf(this.roots);
    this.#schema = options.schema;
    this.#compiledAtRun = isCompilable ? (options.compiledAtRun ?? COMPILED_AT_RUN) : Number.POSITIVE_INFINITY;
    this.bytes = parsedBytes + (Number.isFinite(this.#compiledAtRun) ? compiledBytes : 0);
  }

  /** Errors without data: the variables are invalid, and nothing ran. */
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
function labelOf(roots: readonly string[]): string {
  const [first, ...others] = new Set(roots);
  if (first === undefined || first.startsWith("__")) return "other";
  return others.length === 0 ? first : "multiple";
}

/** The fields that the schema has, without fragments, which can form a circle. */
function labelOfInvalid({ operation, selectionSet }: OperationDefinitionNode, schema: GraphQLSchema): string {
  const known = schema.getRootType(operation)?.getFields() ?? {};
  const names = selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : []));
  return labelOf(names.filter((name) => Object.hasOwn(known, name)));
}
