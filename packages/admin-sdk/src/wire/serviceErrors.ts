import type { ServiceErrorDetails } from "@social-connect/sdk-core";
import { ServiceError as AnyServiceError } from "@social-connect/sdk-core";
import { adviceFor } from "./advice.ts";

/**
 * The service refused a call with an error code (service description, part 7). A code without its own class uses this
 * class.
 */
export class ServiceError extends AnyServiceError {
  static override readonly family: string = "ServiceError";
  /** Which rule of the code applied, such as `LAST_ORIGIN` for CONFLICT; undefined when the service sends none. */
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

/** The key's scope does not allow the operation (`API_KEY_READ_ONLY`), or the request came in a wrong way. */
export class ForbiddenError extends ServiceError {
  static override readonly family: string = "ForbiddenError";
}

/** An argument is not valid. The service does not say which. */
export class BadUserInputError extends ServiceError {
  static override readonly family: string = "BadUserInputError";
}

/** There is no client with this id, or it has nothing like what was to be removed. */
export class NotFoundError extends ServiceError {
  static override readonly family: string = "NotFoundError";
}

/** A rule would be broken, which `reason` names, or the row was busy (`ROW_BUSY`). Nothing was changed. */
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

/** How codes and reasons are written, so that no slug or tenant of some other call is taken for one. */
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
