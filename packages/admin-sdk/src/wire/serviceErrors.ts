import type { ServiceErrorDetails } from "@social-connect/sdk-core";
import { ServiceError as AnyServiceError } from "@social-connect/sdk-core";
import { adviceFor } from "./advice.ts";

/** The service rejected a call with an error code. Codes without their own class use this class. */
export class ServiceError extends AnyServiceError {
  static override readonly family: string = "ServiceError";
  /** The violated rule, such as `LAST_ORIGIN` for CONFLICT; undefined if the service sends none. */
  readonly reason: string | undefined;

  constructor(details: ServiceErrorDetails) {
    super(details);
    this.reason = details.reason;
  }
}

/**
 * The key is malformed, unknown, wrong, expired or revoked, or its admin was removed. The service does not distinguish
 * them.
 */
export class UnauthenticatedError extends ServiceError {
  static override readonly family: string = "UnauthenticatedError";
}

/** The key's scope does not allow the operation (`API_KEY_READ_ONLY`), or the transport of the request was rejected. */
export class ForbiddenError extends ServiceError {
  static override readonly family: string = "ForbiddenError";
}

/** An argument is invalid. The service does not report which one. */
export class BadUserInputError extends ServiceError {
  static override readonly family: string = "BadUserInputError";
}

/** The client does not exist, or the entry to remove is not registered for it. */
export class NotFoundError extends ServiceError {
  static override readonly family: string = "NotFoundError";
}

/** The change violates the rule in `reason`, or the row was busy (`ROW_BUSY`). Nothing was changed. */
export class ConflictError extends ServiceError {
  static override readonly family: string = "ConflictError";
}

/** The service could not complete the call; a change may have been applied nevertheless. Also its fallback code. */
export class UpstreamUnavailableError extends ServiceError {
  static override readonly family: string = "UpstreamUnavailableError";
}

const CLASS_BY_CODE: ReadonlyMap<string, typeof ServiceError> = new Map([
  ["UNAUTHENTICATED", UnauthenticatedError],
  ["FORBIDDEN", ForbiddenError],
  ["BAD_USER_INPUT", BadUserInputError],
  ["NOT_FOUND", NotFoundError],
  ["CONFLICT", ConflictError],
  ["UPSTREAM_UNAVAILABLE", UpstreamUnavailableError],
]);

/** Whether this version knows a code. */
export function isKnownCode(code: string): boolean {
  return CLASS_BY_CODE.has(code);
}

/** Accepts only the format of codes and reasons, so that a slug or tenant is not mistaken for one. */
function asName(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Z][A-Z0-9_]*$/.test(text) ? text : undefined;
}

/**
 * The error of a code. An unknown code becomes a plain `ServiceError`. The message is written by this package, because
 * the service's own message names neither the argument nor a solution.
 */
export function serviceError(details: ServiceErrorDetails): ServiceError {
  const named = { ...details, code: asName(details.code) ?? "UNREADABLE_CODE", reason: asName(details.reason) };
  const ErrorClass = CLASS_BY_CODE.get(named.code) ?? ServiceError;
  return new ErrorClass({ ...named, message: adviceFor(named) });
}
