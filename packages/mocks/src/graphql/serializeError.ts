import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";
import { ERROR_CODES } from "@social-connect/contract";
import { UNEXPECTED_FAILURE_MESSAGE, validationMessage } from "@social-connect/domain";
import { GraphQLError } from "graphql";
import { ServiceError } from "../modules/errors.ts";

export interface SerializedError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: ErrorCode | AdminErrorCode;
    readonly correlationId: string;
    readonly reason?: string;
    readonly retryAfterSeconds?: number;
    /** The invalid argument, for the panel. */
    readonly field?: string;
  };
}

/** An error without internal details. Source: service description, part 7. */
export function serializeError(error: unknown, correlationId: string): SerializedError {
  if (error instanceof GraphQLError) {
    const path = error.path && error.path.length > 0 ? { path: error.path } : {};
    if (error.originalError) return { ...serializeError(error.originalError, correlationId), ...path };
    return { message: validationMessage(error.message), ...path, extensions: { code: codeOf(error), correlationId } };
  }
  if (error instanceof ServiceError) {
    const reason = error.reason === undefined ? {} : { reason: error.reason };
    const retry = error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds };
    return { message: error.message, extensions: { code: error.code, correlationId, ...reason, ...retry } };
  }
  return { message: UNEXPECTED_FAILURE_MESSAGE, extensions: { code: "UPSTREAM_UNAVAILABLE", correlationId } };
}

/** The error that a resolver threw; null for an error of GraphQL. */
export function originalOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError ? originalOf(error.originalError) : null;
}

function codeOf(error: GraphQLError): ErrorCode {
  const code = error.extensions["code"];
  return ERROR_CODES.find((known) => known === code) ?? "BAD_USER_INPUT";
}
