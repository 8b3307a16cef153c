import { EgressError, OWN_EGRESS_FAILURES } from "../platform/network/egress.ts";
import { SecretBoxError } from "../platform/secrets/secretBox.ts";
import { ProviderError } from "./contract.ts";

/**
 * The fault of a failed call to a provider: an error that is not the provider's is a fault of the service. Its message
 * is for the log, and names no value.
 */
export function providerErrorOf(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError("internal", describeFault(error));
}

/** True for a call that this machine or its settings prevented. */
export function isOwnFailure(error: unknown): error is EgressError {
  return error instanceof EgressError && OWN_EGRESS_FAILURES.has(error.failure);
}

function describeFault(error: unknown): string {
  if (error instanceof SecretBoxError) return error.message;
  if (error instanceof EgressError) return error.message;
  if (isDatabaseError(error)) return "the database failed";
  return "unexpected error";
}

/** An error of Prisma, or of the driver with an SQLSTATE. */
function isDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name.startsWith("PrismaClient") || ("severity" in error && "code" in error);
}
