import { isTransientFault, ProtocolError, type SocialConnectError, TransportError } from "@social-connect/sdk-core";
import { type OperationName, REPEATING } from "../_generated/operations.ts";
import { ConflictError, ServiceError, UpstreamUnavailableError } from "./serviceErrors.ts";

/** Returns a function that decides whether to retry a failed request of a call. */
export function repeatRule(operation: OperationName): (error: SocialConnectError) => boolean {
  return REPEATING[operation] === "read" ? mayRepeatRead : writeRule();
}

function mayRepeatRead(error: SocialConnectError): boolean {
  return isTransientFault(error) || error instanceof UpstreamUnavailableError || isTooMany(error);
}

/** A write is retried only if it certainly had no effect; a busy row is retried once. */
function writeRule(): (error: SocialConnectError) => boolean {
  let wasBusy = false;
  return (error) => {
    if (error instanceof TransportError) return !error.mayHaveBeenSent && isTransientFault(error);
    if (isTooMany(error)) return true;
    if (wasBusy || !isRowBusy(error)) return false;
    wasBusy = true;
    return true;
  };
}

/** Too many requests: the sender of this status did not forward the request (RFC 6585, section 4). */
function isTooMany(error: SocialConnectError): boolean {
  return (error instanceof ProtocolError || error instanceof ServiceError) && error.httpStatus === 429;
}

function isRowBusy(error: SocialConnectError): boolean {
  return error instanceof ConflictError && error.reason === "ROW_BUSY";
}

const REFUSALS: readonly string[] = ["UNAUTHENTICATED", "FORBIDDEN", "BAD_USER_INPUT", "NOT_FOUND", "CONFLICT"];

/** Whether a failed write certainly changed nothing. For any other failure, the client is read to find out. */
export function surelyDidNothing(error: SocialConnectError): boolean {
  if (isTooMany(error)) return true;
  if (error instanceof ServiceError) return REFUSALS.includes(error.code);
  if (error instanceof TransportError) return !error.mayHaveBeenSent;
  if (error instanceof ProtocolError) return isRefusedOnTheWay(error);
  return error.kind === "configuration";
}

/** A redirect, or a client error of a proxy: the request was not forwarded. */
function isRefusedOnTheWay({ httpStatus }: ProtocolError): boolean {
  return httpStatus !== undefined && httpStatus >= 300 && httpStatus < 500 && httpStatus !== 408;
}
