import type { CallOptions } from "@social-connect/sdk-core";
import { callWithRetries, ProtocolError, sendGenerated } from "@social-connect/sdk-core";
import type { OperationName } from "../_generated/operations.ts";
import type { Sdk } from "../_generated/requests.ts";
import { getSdk } from "../_generated/requests.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { repeatRule } from "./retryRules.ts";
import { isKnownCode, serviceError } from "./serviceErrors.ts";
import type { Settings } from "./settings.ts";

/** A generated request and the name of its operation. */
export interface CallDetails<Result> {
  readonly operation: OperationName;
  readonly send: (requests: Sdk) => Promise<Result>;
}

/** One call of the service: as many requests as the rules for its operation and its deadline allow. */
export function call<Result>(
  settings: Settings,
  { operation, send }: CallDetails<Result>,
  options: CallOptions = {},
): Promise<Result> {
  const { clock, endpoint, fetch, key } = settings;
  const reading = { serviceError, isKnownCode, now: () => clock.now(), addressOption: "host" };
  const about = { operation, endpoint, fetch, key, signal: options.signal, ...reading };
  const request = { requests: getSdk, send, isValid: ANSWERS[operation] };
  return callWithRetries(
    settings,
    {
      operation,
      mayRepeat: repeatRule(operation),
      send: (timeoutMs) => sendGenerated({ ...about, timeoutMs }, request),
    },
    options,
  );
}

/** An answer of the service that is not what its schema promises. */
export function shapeError(operation: OperationName): ProtocolError {
  return new ProtocolError({
    problem: "UNEXPECTED_SHAPE",
    message: "The answer is not what the schema promises.",
    operation,
  });
}
