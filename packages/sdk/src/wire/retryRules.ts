import { isTransientFault, isTransientStatus, type SocialConnectError, TransportError } from "@social-connect/sdk-core";
import { REPEATING, type Repeating } from "../_generated/operations.ts";
import { ServiceError } from "./serviceErrors.ts";

/** Whether a retry of an operation is safe and may succeed. Errors hold the operation as a string. */
export function mayRepeat(operation: string, error: SocialConnectError): boolean {
  return mayRepeatAs(Object.entries(REPEATING).find(([name]) => name === operation)?.[1] ?? "another", error);
}

/** Whether a retry with this effect is safe and may succeed. */
export function mayRepeatAs(effect: Repeating, error: SocialConnectError): boolean {
  if (!isPassing(error)) return false;
  return effect !== "another" || (error instanceof TransportError && !error.mayHaveBeenSent);
}

/** Whether the next attempt may succeed. */
function isPassing(error: SocialConnectError): boolean {
  if (isTransientFault(error)) return true;
  if (!(error instanceof ServiceError)) return false;
  if (PASSING_CODES.includes(error.code)) return true;
  // For an unknown code, only the status is known.
  return error.constructor === ServiceError && isTransientStatus(error.httpStatus);
}

const PASSING_CODES: readonly string[] = ["UPSTREAM_UNAVAILABLE", "RATE_LIMITED"];
