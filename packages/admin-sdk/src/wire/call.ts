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

/** A call with the retries that its operation and its deadline allow. */
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

/** The error for a response that does not match the schema. */
export function shapeError(operation: OperationName): ProtocolError {
  return new ProtocolError({
    problem: "UNEXPECTED_SHAPE",
    message: "The response does not match the schema.",
    operation,
  });
}
