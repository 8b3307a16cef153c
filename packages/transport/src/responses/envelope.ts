import { CORRELATION_ID_HEADER } from "@social-connect/contract";
import type { ExecutionResult } from "graphql";
import { GraphQLError } from "graphql";
import type { SerializedError } from "./serializeError.ts";
import { originalOf, serializeError } from "./serializeError.ts";

export const RESPONSE_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** The headers of a response; `correlationId` is that of its request. */
export function responseHeaders(correlationId: string): Readonly<Record<string, string>> {
  return { ...RESPONSE_HEADERS, [CORRELATION_ID_HEADER]: correlationId };
}

export interface EnvelopeRules {
  readonly correlationId: () => string;
  /** Responses have `data` even when no operation was executed. */
  readonly alwaysHasData: boolean;
  /** Changes the details of an error in the response. */
  readonly describe?: (error: SerializedError, original: unknown) => SerializedError;
}

export interface Envelope {
  /** 400 when nothing was executed: the request's shape, the document or the variables are invalid. */
  readonly status: 200 | 400;
  readonly body: string;
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly error: SerializedError;
  /** What was thrown; null for an error of GraphQL. */
  readonly original: unknown;
}

/** The response to a request. Every error has a code and the correlation id. Source: service description, part 7. */
export function writeEnvelope({ data, errors = [] }: ExecutionResult, rules: EnvelopeRules): Envelope {
  if (errors.length === 0) return { status: 200, body: JSON.stringify({ data: data ?? null }), failures: [] };
  // An error that is not GraphQL's own was thrown to refuse the whole operation.
  const wasExecuted = data !== undefined || errors.some((error) => originalOf(error) !== null);
  const correlationId = rules.correlationId();
  // Of a refused document only the first error: hundreds would make a response many times its size.
  const failures = (wasExecuted ? errors.map(asInternal) : errors.slice(0, 1)).map((error): Failure => {
    const original = originalOf(error);
    const serialized = serializeError(error, correlationId);
    return { original, error: rules.describe?.(serialized, original) ?? serialized };
  });
  const shown = failures.map(({ error }) => error);
  const envelope = wasExecuted || rules.alwaysHasData ? { data: data ?? null, errors: shown } : { errors: shown };
  return { status: wasExecuted ? 200 : 400, body: JSON.stringify(envelope), failures };
}

/** An error of GraphQL itself during execution is ours: the caller's part was validated before. */
function asInternal(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError) return error;
  return new GraphQLError(error.message, { path: error.path ?? null, originalError: new Error(error.message) });
}
