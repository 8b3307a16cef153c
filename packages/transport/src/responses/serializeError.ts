import { type AdminErrorCode, ERROR_CODES, type ErrorCode } from "@social-connect/contract";
import { AppError, InvalidInputError, type Refusal } from "@social-connect/domain";
import { GraphQLError, type SourceLocation } from "graphql";
import { withVariable } from "../scalars/scalars.ts";
import { NO_INTROSPECTION } from "./introspection.ts";
import { validationMessage } from "./validationMessage.ts";

/** The message for a failure without its own code. It contains no internal details. */
const UNEXPECTED_FAILURE_MESSAGE = "The service could not complete the request. Try again later.";

export interface SerializedError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  /** Where an invalid document is wrong. */
  readonly locations?: readonly SourceLocation[];
  readonly extensions: {
    readonly code: ErrorCode | AdminErrorCode;
    readonly correlationId: string;
    readonly reason?: NonNullable<AppError["reason"]>;
    readonly retryAfterSeconds?: number;
    /** The invalid argument, for the panel. */
    readonly field?: string;
  };
}

/**
 * An error as a caller may see it. An error of GraphQL is the caller's input, an AppError has its code, and anything else is
 * UPSTREAM_UNAVAILABLE. Source: service description, part 7.
 */
export function serializeError(error: unknown, correlationId: string): SerializedError {
  if (error instanceof GraphQLError) {
    const path = error.path && error.path.length > 0 ? { path: error.path } : {};
    const named = withVariable(error);
    if (error.originalError && named === null)
      return { ...serializeError(error.originalError, correlationId), ...path };
    const [position] = error.locations ?? [];
    const message = validationMessage(named ?? error.message);
    return {
      message: position === undefined ? message : messageAt(message, position),
      ...path,
      ...(position !== undefined && { locations: [position] }),
      extensions: { code: codeOf(error), correlationId },
    };
  }
  if (error instanceof AppError) {
    const reason = error.reason === undefined ? {} : { reason: error.reason };
    const retry = error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds };
    return { message: error.message, extensions: { code: error.code, correlationId, ...reason, ...retry } };
  }
  return { message: UNEXPECTED_FAILURE_MESSAGE, extensions: { code: "UPSTREAM_UNAVAILABLE", correlationId } };
}

function messageAt(message: string, { line, column }: SourceLocation): string {
  return message.replace(/\.?$/, ` (line ${line}, column ${column}).`);
}

/** The error that a resolver threw; null for an error of GraphQL. */
export function originalOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError ? originalOf(error.originalError) : null;
}

/** A refusal of the request or document as such. */
export function refusalError({ message, code }: Refusal): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

function codeOf(error: GraphQLError): ErrorCode {
  const code = error.extensions["code"];
  return ERROR_CODES.find((known) => known === code) ?? "BAD_USER_INPUT";
}

/** The admin API names only the code of an invalid argument or document, not the field; introspection has none. Source: service description, part 7. */
export function describeAdminError(error: SerializedError): SerializedError {
  const { message, extensions } = error;
  if (extensions.code !== "BAD_USER_INPUT" || message === NO_INTROSPECTION.message) return error;
  return { ...error, message: "The request is not valid." };
}

/** The panel shows the message at the field. */
export function describePanelError(error: SerializedError, original: unknown): SerializedError {
  if (!(original instanceof InvalidInputError) || original.field === null) return error;
  return { ...error, extensions: { ...error.extensions, field: original.field } };
}
