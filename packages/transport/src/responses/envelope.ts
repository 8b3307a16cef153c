import { CORRELATION_ID_HEADER } from "@social-connect/contract";
import { GraphQLError } from "graphql";
import { originalOf, type SerializedError, serializeError } from "./serializeError.ts";

export const RESPONSE_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** The headers of a response; `correlationId` is that of its request. */
export function responseHeaders(correlationId: string) {
  return { ...RESPONSE_HEADERS, [CORRELATION_ID_HEADER]: correlationId };
}

/** Changes the details of an error in a response. */
export type DescribeError = (error: SerializedError, original: unknown) => SerializedError;

/** An error as a response has it. */
export interface ShownError {
  readonly error: SerializedError;
  /** What was thrown; null for an error of GraphQL. */
  readonly original: unknown;
  /** 400 when nothing was executed: the request's shape, the document or the variables are invalid. */
  readonly status: 200 | 400;
}

/** Every error has a code and the correlation id. Source: service description, part 7. */
export function showError(error: unknown, correlationId: string, describe: DescribeError = (same) => same): ShownError {
  const internal = asInternal(error);
  const original = originalOf(internal);
  const shown = describe(serializeError(internal, correlationId), original);
  return { error: shown, original, status: original === null ? 400 : 200 };
}

/** An error of GraphQL itself at a field is ours: the caller's part was validated before. */
function asInternal(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError || error.path === undefined) return error;
  return new GraphQLError(error.message, { path: error.path, originalError: new Error(error.message) });
}
