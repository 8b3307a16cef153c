import { GraphQLClient } from "graphql-request";
import type { Attempt } from "./attempt.ts";
import { sendOnce } from "./attempt.ts";
import type { CallOptions, RepeatRule } from "./call.ts";
import { callWithRetries } from "./call.ts";
import { ConfigurationError, ProtocolError } from "./errors.ts";
import type { ResponseContext } from "./response.ts";
import type { ClientSettings } from "./settings.ts";
import type { Validator } from "./validators.ts";

/** The arguments of an operation. Its generated function has its name, with a capital. */
export type VariablesOf<Requests, Operation extends string> = Operation extends string
  ? Requests[Capitalize<Operation> & keyof Requests] extends (variables: infer Variables, ...rest: never[]) => unknown
    ? Variables
    : never
  : never;

/** The value of an operation. */
type ResultOf<Requests, Operation extends string> = Operation extends string
  ? Requests[Capitalize<Operation> & keyof Requests] extends (
      ...args: never[]
    ) => Promise<{ readonly [Name in Operation]: infer Result }>
    ? Result
    : never
  : never;

/** The differences between the APIs. */
export interface Api<Operation extends string, Requests> extends Omit<ResponseContext, "operation" | "now"> {
  /** The generated `getSdk`. */
  readonly requests: (client: GraphQLClient) => Requests;
  /** Whether the value of an operation matches the schema. */
  readonly validators: Readonly<Record<Operation, Validator>>;
  /** The retry rule of a call. */
  readonly repeatRule: (operation: Operation) => RepeatRule;
  /** Operations that are sent without the key. */
  readonly withoutKey?: readonly NoInfer<Operation>[];
}

interface OperationOptions extends CallOptions {
  /** Called before each request. */
  readonly onSend?: () => void;
}

/** Returns the function that calls an operation, with the retries that its rule and the deadline allow. */
export function operationCaller<Operations extends string, Requests>(api: Api<Operations, Requests>) {
  const { requests, validators, repeatRule, withoutKey = [], ...reading } = api;
  return async <Operation extends Operations>(
    settings: ClientSettings<Operations>,
    operation: Operation,
    variables: VariablesOf<Requests, Operation>,
    { onSend, ...options }: OperationOptions = {},
  ): Promise<ResultOf<Requests, Operation>> => {
    const { clock, endpoint, fetch } = settings;
    const key = withoutKey.includes(operation) ? undefined : settings.key;
    const about = { operation, endpoint, fetch, key, signal: options.signal, ...reading, now: () => clock.now() };
    const send = (timeoutMs: number) => {
      onSend?.();
      return sendGenerated({ ...about, timeoutMs }, { requests, variables, isValid: validators[operation] });
    };
    const value = await callWithRetries(settings, { operation, mayRepeat: repeatRule(operation), send }, options);
    return value as ResultOf<Requests, Operation>;
  };
}

interface GeneratedRequest {
  readonly requests: (client: GraphQLClient) => unknown;
  readonly variables: unknown;
  readonly isValid: Validator;
}

/**
 * Sends a generated request once. graphql-request only serialises the body and returns the data. The exchange is ours,
 * so graphql-request never creates its own error, which contains variables and headers. Any other error that it throws is
 * replaced. The data is passed through unchanged: serialising and parsing a page of 50 posts again would take half a
 * millisecond.
 */
async function sendGenerated(attempt: Attempt, { requests, variables, isValid }: GeneratedRequest): Promise<unknown> {
  const { operation } = attempt;
  let data: Record<string, unknown> = {};
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): never => {
    failure = { error };
    throw error;
  };
  const exchange = async (body: string) => {
    const answered = await sendOnce(attempt, body);
    const value = Object.hasOwn(answered, operation) ? answered[operation] : undefined;
    if (!isValid(value)) throw shapeError(operation);
    data = { [operation]: value };
  };
  const client = new GraphQLClient(attempt.endpoint, {
    excludeOperationName: true,
    jsonSerializer: {
      stringify: (value) => bodyOf(value) ?? fail(notSerializable(operation)),
      parse: () => ({ data }),
    },
    fetch: async (_url, init) => {
      await exchange(String(init?.body)).catch(fail);
      return CHECKED_RESPONSE as Response;
    },
  });
  try {
    const named = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
    const sent = requests(client) as Readonly<Record<string, (variables: unknown) => Promise<typeof data>>>;
    return (await sent[named]?.(variables))?.[operation];
  } catch {
    throw failure === undefined ? shapeError(operation) : failure.error;
  }
}

/** Undefined for values that JSON cannot represent; the engine's message might repeat a value. */
function bodyOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * The response that graphql-request receives. It has only the properties that graphql-request reads, because creating a
 * whole `Response` costs more than the rest of the call.
 */
const CHECKED_RESPONSE: Pick<Response, "status" | "ok" | "headers" | "text"> = {
  status: 200,
  ok: true,
  headers: new Headers({ "content-type": "application/json" }),
  text: () => Promise.resolve(""),
};

function notSerializable(operation: string): ConfigurationError {
  return new ConfigurationError("The arguments cannot be serialized as JSON.", operation);
}

/** The error for a response that does not match the schema. */
export function shapeError(operation: string): ProtocolError {
  const message = "The response does not match the schema.";
  return new ProtocolError({ problem: "UNEXPECTED_SHAPE", message, operation });
}
