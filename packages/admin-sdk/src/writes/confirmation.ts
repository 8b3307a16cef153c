import { ConfigurationError } from "@social-connect/sdk-core";
import type { WriteOperation } from "../_generated/operations.ts";

/** Only the literal `true` is a confirmation: not a string, not 1, not undefined. */
export function requireConfirmation(given: unknown, operation: WriteOperation): void {
  const confirmed: unknown =
    typeof given === "object" && given !== null ? Reflect.get(given, "confirmedNoOnwardRedirect") : undefined;
  if (confirmed === true) return;
  throw new ConfigurationError(
    `${operation} needs confirmedNoOnwardRedirect: true. Check that the route behind the return URL never redirects onward to an address taken from the request, then set it.`,
    operation,
  );
}
