import { ServiceError, type ServiceErrorDetails } from "@social-connect/sdk-core/serviceError";
import { CLASS_BY_CODE } from "../_generated/errors.ts";

export * from "../_generated/errors.ts";
export { ServiceError };

/** The error of a code. A code that this version does not know keeps its text and becomes a plain `ServiceError`. */
export function serviceError(details: ServiceErrorDetails): ServiceError {
  const ErrorClass = CLASS_BY_CODE.get(details.code) ?? ServiceError;
  return new ErrorClass(details);
}
