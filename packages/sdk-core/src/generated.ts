import { GraphQLClient } from "graphql-request";
import type { WithResponse } from "./apiCall.ts";
import { sendOnce } from "./attempt.ts";
import type { CallOptions, RepeatRule, RequestLimits } from "./call.ts";
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
export interface Api<Operation extends string, Requests, OwnName extends string = never>
  extends Omit<ResponseContext, "operation" | "now"> {
  /** The generated `getSdk`. */
  readonly requests: (client: GraphQLClient) => Requests;
  /** Whether the value of an operation matches the schema. */
  readonly validators: Readonly<Record<Operation, Validator>>;
  /** The retry rule of a call. */
  readonly repeatRule: (operation: Operation) => RepeatRule;
  /** Whether a call must not be made twice. */
  readonly isOnce?: (operation: Operation) => boolean;
  /** The name of requests with several root fields, in hooks and errors; absent without such requests. */
  readonly ownName?: OwnName;
  /** Operations that are sent without the key. */
  readonly withoutKey?: readonly NoInfer<Operation>[];
}

/** A request: its document and variables, and what a response must contain. */
export interface OwnRequest<Operations extends string> {
  /** The name in hooks and errors. */
  readonly operation: Operations;
  readonly mayRepeat: RepeatRule;
  /** Whether it must not be made twice: it gets an idempotency key, by which the service recognizes a repetition. */
  readonly isOnce?: boolean | undefined;
  readonly body: string;
  /** Whether `data` has the shape that the document selects. */
  readonly isValid: Validator;
}

/** Returns the functions that call operations, with the retries that their rules and the deadline allow. */
export function operationCaller<Operations extends string, Requests, OwnName extends string = never>(
  api: Api<Operations, Requests, OwnName>,
) {
  const { requests, validators, repeatRule, isOnce, withoutKey = [], ownName: _ownName, ...reading } = api;
  type Names = Operations | OwnName;
  type Settings = ClientSettings<Names>;
  const sendAs = async (
    key: Settings["key"] | undefined,
    settings: Settings,
    { operation, mayRepeat, isOnce: needsKey, body, isValid }: OwnRequest<Names>,
    options: CallOptions = {},
    onSend?: () => void,
  ): Promise<WithResponse<Record<string, unknown>>> => {
    const { clock, endpoint, fetch, client } = settings;
    // Not for reads: frameworks do not render a page in advance that needs a random value.
    const idempotencyKey = needsKey ? globalThis.crypto?.randomUUID?.() : undefined;
    const about = { operation, endpoint, fetch, client, key, idempotencyKey, ...reading, now: () => clock.now() };
    const send = async (limits: RequestLimits) => {
      onSend?.();
      const answer = await sendOnce({ ...about, ...limits, signal: options.signal }, body);
      if (!isValid(answer.data)) throw shapeError(operation, answer.correlationId);
      return answer;
    };
    return callWithRetries(settings, { operation, mayRepeat, send }, options);
  };

  /** Calls an operation; returns its value and how it was answered. `onSend` is called before each request. */
  const exchange = async <Operation extends Operations>(
    settings: Settings,
    operation: Operation,
    variables: VariablesOf<Requests, Operation>,
    options?: CallOptions,
    onSend?: () => void,
  ): Promise<WithResponse<ResultOf<Requests, Operation>>> => {
    const key = (withoutKey as readonly string[]).includes(operation) ? undefined : settings.key;
    const body = await bodyOf(requests, settings.endpoint, operation, variables);
    const isValid = (data: unknown) => validators[operation](Object(data)[operation]);
    const request = { operation, mayRepeat: repeatRule(operation), isOnce: isOnce?.(operation), body, isValid };
    const { data, response } = await sendAs(key, settings, request, options, onSend);
    return { data: data[operation] as ResultOf<Requests, Operation>, response };
  };

  /** Sends a request with its own document; returns its data and how it was answered. */
  const sendOwn = async (settings: Settings, request: OwnRequest<Names>, options?: CallOptions) =>
    sendAs(settings.key, settings, request, options);

  return { exchange, sendOwn };
}

/**
 * The body of a generated request. graphql-request only serializes it. The exchange is ours, so that graphql-request never
 * creates its own error, which contains variables and headers, and never serializes and parses a response again, which
 * takes half a millisecond for a page of 50 posts.
 */
async function bodyOf(
  requests: (client: GraphQLClient) => unknown,
  endpoint: string,
  operation: string,
  variables: unknown,
): Promise<string> {
  let body: unknown;
  const client = new GraphQLClient(endpoint, {
    excludeOperationName: true,
    jsonSerializer: JSON,
    fetch: (_url, init) => {
      body = init?.body;
      return Promise.reject();
    },
  });
  const named = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const sent = requests(client) as Readonly<Record<string, (variables: unknown) => Promise<unknown>>>;
  await sent[named]?.(variables).catch(() => undefined);
  if (typeof body === "string") return body;
  // JSON cannot represent a value. The engine's message might repeat it.
  throw new ConfigurationError("The arguments cannot be serialized as JSON.", operation);
}

/** The error for a response that does not match the schema. */
export function shapeError(operation: string, correlationId?: string): ProtocolError {
  const message = "The response does not match the schema.";
  return new ProtocolError({ problem: "UNEXPECTED_SHAPE", message, operation, correlationId });
}
