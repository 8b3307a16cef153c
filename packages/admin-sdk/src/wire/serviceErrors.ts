import type { ServiceErrorDetails } from "@social-connect/sdk-core";
import { CLASS_BY_CODE } from "../_generated/errors.ts";
import { ServiceError } from "../errors/serviceError.ts";
import { adviceFor } from "./advice.ts";

export * from "../_generated/errors.ts";
export { ServiceError };

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
