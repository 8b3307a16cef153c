import type { SocialConnectError } from "@social-connect/sdk-core";
import { isPassingFault, isPassingStatus, TransportError } from "@social-connect/sdk-core";
import type { OperationName } from "./operations.ts";
import { ServiceError } from "./serviceErrors.ts";

/**
 * The effect of a repeated request, which decides whether a failed request is retried:
 * - `read`: none;
 * - `same`: the same result, because the service returns the refresh in flight or the same two receipts;
 * - `another`: a second attempt, lookup or redeem, so it is retried only if it was certainly never sent.
 */
export type Repeating = "read" | "same" | "another";

export const REPEATING: { readonly [Operation in OperationName]: Repeating } = {
  status: "read",
  integrationReadiness: "read",
  connectSessionResult: "read",
  connection: "read",
  connections: "read",
  content: "read",
  contentItem: "read",
  syncJob: "read",
  requestRefresh: "same",
  disconnectConnection: "same",
  createConnectSession: "another",
  requestContentLookup: "another",
  createIdpIdentitySession: "another",
  redeemIdpIdentityResult: "another",
};

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
