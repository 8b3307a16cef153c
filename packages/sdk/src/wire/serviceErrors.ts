import type { ServiceErrorDetails } from "@social-connect/sdk-core";
import { ServiceError } from "@social-connect/sdk-core";

export { ServiceError };

/** The key is missing, malformed, unknown, revoked or expired. */
export class UnauthenticatedError extends ServiceError {
  static override readonly family: string = "UnauthenticatedError";
}

/** The application is disabled, the call is outside its policy, or a disconnect at the provider is in progress. */
export class ForbiddenError extends ServiceError {
  static override readonly family: string = "ForbiddenError";
}

/** An argument or the document is not valid, or a limit was exceeded. */
export class BadUserInputError extends ServiceError {
  static override readonly family: string = "BadUserInputError";
}

/** The resource is unknown, erased, expired, or belongs to another scope. */
export class NotFoundError extends ServiceError {
  static override readonly family: string = "NotFoundError";
}

/** Too many pending attempts or jobs; `retryAfterSeconds` is the delay before a retry. */
export class RateLimitedError extends ServiceError {
  static override readonly family: string = "RateLimitedError";
}

/** The provider registration is paused, so the connection cannot be used for now. */
export class AuthorizationSuspendedError extends ServiceError {
  static override readonly family: string = "AuthorizationSuspendedError";
}

/** The grant is no longer active: the person has to connect again. */
export class ReconnectRequiredError extends ServiceError {
  static override readonly family: string = "ReconnectRequiredError";
}

/** The connection or the registration does not offer what the call needs. */
export class CapabilityUnavailableError extends ServiceError {
  static override readonly family: string = "CapabilityUnavailableError";
}

/** The connection to reconnect is being disconnected. */
export class DisconnectInProgressError extends ServiceError {
  static override readonly family: string = "DisconnectInProgressError";
}

/** A scan of another window is in flight on this connection. */
export class SyncWindowBusyError extends ServiceError {
  static override readonly family: string = "SyncWindowBusyError";
}

/** The service could not complete the call; also its fallback code. */
export class UpstreamUnavailableError extends ServiceError {
  static override readonly family: string = "UpstreamUnavailableError";
}

const CLASS_BY_CODE: ReadonlyMap<string, typeof ServiceError> = new Map([
  ["UNAUTHENTICATED", UnauthenticatedError],
  ["FORBIDDEN", ForbiddenError],
  ["BAD_USER_INPUT", BadUserInputError],
  ["NOT_FOUND", NotFoundError],
  ["RATE_LIMITED", RateLimitedError],
  ["AUTHORIZATION_SUSPENDED", AuthorizationSuspendedError],
  ["RECONNECT_REQUIRED", ReconnectRequiredError],
  ["CAPABILITY_UNAVAILABLE", CapabilityUnavailableError],
  ["DISCONNECT_IN_PROGRESS", DisconnectInProgressError],
  ["SYNC_WINDOW_BUSY", SyncWindowBusyError],
  ["UPSTREAM_UNAVAILABLE", UpstreamUnavailableError],
]);

/** Whether this version knows a code. */
export function isKnownCode(code: string): boolean {
  return CLASS_BY_CODE.has(code);
}

/** The error of a code. A code that this version does not know keeps its text and becomes a plain `ServiceError`. */
export function serviceError(details: ServiceErrorDetails): ServiceError {
  const ErrorClass = CLASS_BY_CODE.get(details.code) ?? ServiceError;
  return new ErrorClass(details);
}
