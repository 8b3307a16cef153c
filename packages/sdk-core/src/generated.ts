import type { WithResponse } from "./apiCall.ts";
import { type CallOptions, callWithRetries, type RepeatRule, type RequestLimits } from "./call.ts";
import { ConfigurationError, shapeError } from "./errors.ts";
import type { ResponseContext } from "./response.ts";
import type { ClientSettings } from "./settings.ts";
import { selectionOf, type Validator } from "./validators.ts";

/** A generated document: its text, and the types of its result and variables. */
export interface OperationDocument<Result, Variables> {
  toString(): string;
  readonly __apiType?: ((variables: Variables) => Result) | undefined;
}

/** The document of each operation. */
type DocumentsOf<Operation extends string> = { readonly [Name in Operation]: OperationDocument<unknown, never> };

/** The arguments of an operation. */
export type VariablesOf<Each, Operation extends keyof Each> = Operation extends keyof Each
  ? Each[Operation] extends OperationDocument<unknown, infer Variables>
    ? Variables
    : never
  : never;

/** The value of an operation. */
export type ResultOf<Each, Operation extends keyof Each> = Operation extends keyof Each
  ? Each[Operation] extends OperationDocument<{ readonly [Name in Operation]: infer Result }, never>
    ? Result
    : never
  : never;

/** The differences between the APIs. */
export interface Api<Operation extends string, OwnName extends string = never>
  extends Omit<ResponseContext, "operation" | "now"> {
  /** The beginning of each operation's document, up to the selection of its root field. */
  readonly heads: Readonly<Record<Operation, string>>;
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
  readonly document: string;
  readonly variables: object;
  /** Writes the document and the variables; JSON by default. */
  readonly serialize?: ((content: { readonly query: string; readonly variables: object }) => string) | undefined;
  /** Whether `data` has the shape that the document selects. */
  readonly isValid: Validator;
}

/** Returns the functions that call operations, with the retries that their rules and the deadline allow. */
export function operationCaller<
  Operations extends string,
  Each extends DocumentsOf<Operations>,
  OwnName extends string = never,
>(api: Api<Operations, OwnName>) {
  const { heads, validators, repeatRule, isOnce, withoutKey = [] } = api;
  const names = Object.keys(heads) as Operations[];
  const documents = new Map(names.map((name) => [name, `${heads[name]}${selectionOf(validators[name])}}`]));
  type Names = Operations | OwnName;
  type Settings = ClientSettings<Names>;
  const sendAs = async (
    key: Settings["key"] | undefined,
    settings: Settings,
    request: OwnRequest<Names>,
    options: CallOptions = {},
    onSend?: () => void,
  ): Promise<WithResponse<Record<string, unknown>>> => {
    const { clock, send } = settings;
    const { operation, mayRepeat, document: query, isValid } = request;
    // Not for reads: frameworks do not render a page in advance that needs a random value.
    const idempotencyKey = request.isOnce ? globalThis.crypto?.randomUUID?.() : undefined;
    // A retry sends the same, even if the caller has changed an argument since.
    const body = bodyOf(request);
    const about = { operation, query, body, key, idempotencyKey, ...api, now: () => clock.now() };
    const attempt = async (limits: RequestLimits) => {
      onSend?.();
      const answer = await send({ ...about, ...limits, signal: options.signal });
      if (!isValid(answer.data)) throw shapeError(operation, undefined, answer.correlationId);
      return answer;
    };
    return callWithRetries(settings, { operation, mayRepeat, send: attempt }, options);
  };

  /** Calls an operation; returns its value and how it was answered. `onSend` is called before each request. */
  const exchange = async <Operation extends Operations>(
    settings: Settings,
    operation: Operation,
    variables: VariablesOf<Each, Operation>,
    options?: CallOptions,
    onSend?: () => void,
  ): Promise<WithResponse<ResultOf<Each, Operation>>> => {
    const key = (withoutKey as readonly string[]).includes(operation) ? undefined : settings.key;
    const isValid = (data: unknown) => validators[operation](Object(data)[operation]);
    const request = {
      operation,
      mayRepeat: repeatRule(operation),
      isOnce: isOnce?.(operation),
      document: documents.get(operation) as string,
      variables: variables as object,
      isValid,
    };
    const { data, response } = await sendAs(key, settings, request, options, onSend);
    return { data: data[operation] as ResultOf<Each, Operation>, response };
  };

  /** Sends a request with its own document; returns its data and how it was answered. */
  const sendOwn = async (settings: Settings, request: OwnRequest<Names>, options?: CallOptions) =>
    sendAs(settings.key, settings, request, options);

  return { exchange, sendOwn };
}

function bodyOf({ operation, document: query, variables, serialize = JSON.stringify }: OwnRequest<string>): string {
  try {
    return serialize({ query, variables });
  } catch (error) {
    // The engine's message might repeat a value.
    throw ConfigurationError.is(error)
      ? error
      : new ConfigurationError("The arguments cannot be serialized as JSON.", operation);
  }
}
