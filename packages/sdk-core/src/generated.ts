import { GraphQLClient } from "graphql-request";
import type { Attempt } from "./attempt.ts";
import { sendOnce } from "./attempt.ts";
import { ConfigurationError, ProtocolError } from "./errors.ts";
import type { Validator } from "./validators.ts";

/** A request of a generated client. */
export interface GeneratedRequest<Requests, Result> {
  /** The generated `getSdk`. */
  readonly requests: (client: GraphQLClient) => Requests;
  readonly send: (requests: Requests) => Promise<Result>;
  /** Whether the operation's value matches the schema. */
  readonly isValid: Validator;
}

/**
 * Sends a generated request once. graphql-request only serialises the body and returns the data. The exchange is ours,
 * so graphql-request never creates its own error, which contains variables and headers. Any other error that it throws is
 * replaced. The data is passed through unchanged: serialising and parsing a page of 50 posts again would take half a
 * millisecond.
 */
export async function sendGenerated<Requests, Result>(
  attempt: Attempt,
  { requests, send, isValid }: GeneratedRequest<Requests, Result>,
): Promise<Result> {
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
    if (!isValid(value)) throw unexpected(operation);
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
    return await send(requests(client));
  } catch {
    throw failure === undefined ? unexpected(operation) : failure.error;
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

function unexpected(operation: string): ProtocolError {
  const message = "The response does not match the schema.";
  return new ProtocolError({ problem: "UNEXPECTED_SHAPE", message, operation });
}
