import type { RuleViolation } from "@social-connect/domain";
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
import { LRUCache } from "lru-cache";
import { asError } from "./readRequest.ts";

export interface DocumentRules {
  readonly schema: GraphQLSchema;
  /** A longer document is not even parsed to its end. */
  readonly maxTokens: number;
  /** Looks at a document before it is validated. It lets documents of one operation through alone. */
  readonly checkLimits: (document: DocumentNode) => RuleViolation | null;
  /** The run of a document at which it is compiled; never, with infinity. */
  readonly compiledAtRun?: number;
}

/** A document that keeps all rules, ready to run. */
export interface ReadyDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Errors without data: the variables do not fit, and nothing ran. */
  run(variables: Readonly<Record<string, unknown>>, context: object): Promise<ExecutionResult>;
}

const RULES = [...specifiedRules, NoSchemaIntrospectionCustomRule];
/** All texts together; the parsed documents take about ten times as much. */
const KEPT_CHARACTERS = 2_000_000;
/** Compiling one takes some milliseconds, which pay after a few dozen runs: the documents of an application, not a stranger's. */
const COMPILED_AT_RUN = 8;

/**
 * Takes documents in: parsed, within the limits, valid, and known again by their text. An application sends the same few
 * documents all day; what this saves is most of what a small answer costs. Nothing of a request is kept but its document.
 */
export class Documents {
  readonly #rules: DocumentRules;
  readonly #ready = new LRUCache<string, ReadyDocument>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  constructor(rules: DocumentRules) {
    this.#rules = rules;
  }

  /** The document of a text, or why it is none. A name, where one is given, has to be its operation's. */
  take(text: string, operationName?: string): ReadyDocument | readonly GraphQLError[] {
    const taken = this.#known(text);
    if (isRefused(taken) || operationName === undefined || operationName === taken.operation.name?.value) return taken;
    return [new GraphQLError(`Unknown operation named "${operationName}".`)];
  }

  #known(text: string): ReadyDocument | readonly GraphQLError[] {
    const known = this.#ready.get(text);
    if (known !== undefined) return known;
    const prepared = prepare(text, this.#rules);
    // One that is refused is not kept, so that nonsense drives nothing out.
    if (!isRefused(prepared)) this.#ready.set(text, prepared);
    return prepared;
  }
}

export function isRefused(taken: ReadyDocument | readonly GraphQLError[]): taken is readonly GraphQLError[] {
  return Array.isArray(taken);
}

function prepare(text: string, rules: DocumentRules): ReadyDocument | readonly GraphQLError[] {
  const { schema, maxTokens, checkLimits, compiledAtRun = COMPILED_AT_RUN } = rules;
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
  const violation = checkLimits(document);
  if (violation !== null) return [asError(violation)];
  const errors = validate(schema, document, RULES);
  if (errors.length > 0) return errors;
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error("a document without an operation was let through");
  // Validation lets an operation pass that the schema has no type for, a subscription: only running it would say so.
  if (!schema.getRootType(operation.operation)) return [new GraphQLError("There are no operations of this kind.")];
  // The compiler writes answers into ordinary objects, in which a field that a caller names `__proto__` is lost.
  return new Runnable(
    schema,
    document,
    operation,
    text.includes("__proto__") ? Number.POSITIVE_INFINITY : compiledAtRun,
  );
}

class Runnable implements ReadyDocument {
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
  readonly #schema: GraphQLSchema;
  readonly #compiledAtRun: number;
  #runs = 0;
  #compiled: CompiledQuery | null = null;

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    compiledAtRun: number,
  ) {
    this.#schema = schema;
    this.document = document;
    this.operation = operation;
    this.#compiledAtRun = compiledAtRun;
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
