import { GraphQLClient } from "graphql-request";
import type { WithResponse } from "./apiCall.ts";
import type { Attempt } from "./attempt.ts";
import { sendOnce } from "./attempt.ts";
import type { CallOptions, RepeatRule, RequestLimits } from "./call.ts";
import { callWithRetries } from "./call.ts";
import { ConfigurationError, ProtocolError } from "./errors.ts";
import type { Answer, ResponseContext } from "./response.ts";
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
export interface Api<Operation extends string, Requests, OwnName extends string = never>
  extends Omit<ResponseContext, "operation" | "now"> {
  /** The generated `getSdk`. */
  readonly requests: (client: GraphQLClient) => Requests;
  /** Whether the value of an operation matches the schema. */
  readonly validators: Readonly<Record<Operation, Validator>>;
  /** The retry rule of a call. */
  readonly repeatRule: (operation: Operation) => RepeatRule;
  /** The name of requests with several root fields, in hooks and errors; absent without such requests. */
  readonly ownName?: OwnName;
  /** Operations that are sent without the key. */
  readonly withoutKey?: readonly NoInfer<Operation>[];
}

/** What a call takes within this package. */
export interface OperationOptions extends CallOptions {
  /** Called before each request. */
  readonly onSend?: (() => void) | undefined;
}

/** A request with another document than the generated ones. */
export interface OwnRequest<Operations extends string> {
  /** The name in hooks and errors. */
  readonly operation: Operations;
  readonly mayRepeat: RepeatRule;
  readonly body: string;
  /** Whether `data` has the shape that the document selects. */
  readonly isValid: Validator;
}

/** Returns the functions that call operations, with the retries that their rules and the deadline allow. */
export function operationCaller<Operations extends string, Requests, OwnName extends string = never>(
  api: Api<Operations, Requests, OwnName>,
) {
  const { requests, validators, repeatRule, withoutKey = [], ownName: _ownName, ...reading } = api;
  type Names = Operations | OwnName;
  type Settings = ClientSettings<Names>;
  const attemptOf = (
    settings: Settings,
    operation: Names,
    signal: AbortSignal | undefined,
  ): Omit<Attempt, keyof RequestLimits> => {
    const { clock, endpoint, fetch, client } = settings;
    const key = (withoutKey as readonly string[]).includes(operation) ? undefined : settings.key;
    return { operation, endpoint, fetch, client, key, signal, ...reading, now: () => clock.now() };
  };

  /** Calls an operation; returns its value and how it was answered. */
  const exchange = async <Operation extends Operations>(
    settings: Settings,
    operation: Operation,
    variables: VariablesOf<Requests, Operation>,
    { onSend, ...options }: OperationOptions = {},
  ): Promise<WithResponse<ResultOf<Requests, Operation>>> => {
    const about = attemptOf(settings, operation, options.signal);
    const send = (limits: RequestLimits) => {
      onSend?.();
      const request = { requests, variables, isValid: validators[operation] };
      return sendGenerated({ ...about, ...limits }, request) as Promise<Answer<ResultOf<Requests, Operation>>>;
    };
    return callWithRetries(settings, { operation, mayRepeat: repeatRule(operation), send }, options);
  };

  /** Calls an operation; returns its value. */
  const call = async <Operation extends Operations>(
    settings: Settings,
    operation: Operation,
    variables: VariablesOf<Requests, Operation>,
    options?: OperationOptions,
  ): Promise<ResultOf<Requests, Operation>> => (await exchange(settings, operation, variables, options)).data;

  /** Sends a request with its own document; returns its data and how it was answered. */
  const sendOwn = async (
    settings: Settings,
    { operation, mayRepeat, body, isValid }: OwnRequest<Names>,
    options: CallOptions = {},
  ): Promise<WithResponse<Record<string, unknown>>> => {
    const about = attemptOf(settings, operation, options.signal);
    const send = async (limits: RequestLimits) => {
      const answer = await sendOnce({ ...about, key: settings.key, ...limits }, body);
      if (!isValid(answer.data)) throw shapeError(operation);
      return answer;
    };
    return callWithRetries(settings, { operation, mayRepeat, send }, options);
  };

  return { call, exchange, sendOwn };
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
async function sendGenerated(
  attempt: Attempt,
  { requests, variables, isValid }: GeneratedRequest,
): Promise<Answer<unknown>> {
  const { operation } = attempt;
  let answer: Answer<Record<string, unknown>> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): never => {
    failure = { error };
    throw error;
  };
  const exchange = async (body: string) => {
    const { data, ...response } = await sendOnce(attempt, body);
    const value = Object.hasOwn(data, operation) ? data[operation] : undefined;
    if (!isValid(value)) throw shapeError(operation);
    answer = { ...response, data: { [operation]: value } };
  };
  const client = new GraphQLClient(attempt.endpoint, {
    excludeOperationName: true,
    jsonSerializer: {
      stringify: (value) => bodyOf(value) ?? fail(notSerializable(operation)),
      parse: () => ({ data: answer?.data }),
    },
    fetch: async (_url, init) => {
      await exchange(String(init?.body)).catch(fail);
      return CHECKED_RESPONSE as Response;
    },
  });
  try {
    const named = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
    const sent = requests(client) as Readonly<Record<string, (variables: unknown) => Promise<Record<string, unknown>>>>;
    const data = await sent[named]?.(variables);
    if (answer !== undefined) return { ...answer, data: data?.[operation] };
  } catch {
    if (failure !== undefined) throw failure.error;
  }
  throw shapeError(operation);
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
