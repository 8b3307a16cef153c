import type { SocialConnectError } from "@social-connect/sdk-core";
import { isPassingFault, isPassingStatus, TransportError } from "@social-connect/sdk-core";
import { REPEATING } from "../_generated/operations.ts";
import { ServiceError } from "./serviceErrors.ts";

/** Whether a retry is safe and may succeed. Errors hold the operation as a string. */
export function mayRepeat(operation: string, error: SocialConnectError): boolean {
  const repeating = Object.entries(REPEATING).find(([name]) => name === operation)?.[1] ?? "another";
  if (!isPassing(error)) return false;
  return repeating !== "another" || (error instanceof TransportError && !error.mayHaveBeenSent);
}

/** Whether the next attempt may succeed. */
function isPassing(error: SocialConnectError): boolean {
  if (isPassingFault(error)) return true;
  if (!(error instanceof ServiceError)) return false;
  if (PASSING_CODES.includes(error.code)) return true;
  // Of a code that this version does not know, the status is all there is to go by.
  return error.constructor === ServiceError && isPassingStatus(error.httpStatus);
}

const PASSING_CODES: readonly string[] = ["UPSTREAM_UNAVAILABLE", "RATE_LIMITED"];
