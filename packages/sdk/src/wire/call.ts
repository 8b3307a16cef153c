import type { CallOptions } from "@social-connect/sdk-core";
import { callWithRetries, sendGenerated } from "@social-connect/sdk-core";
import type { Sdk } from "../_generated/requests.ts";
import { getSdk } from "../_generated/requests.ts";
import type { OperationName } from "./operations.ts";
import { mayRepeat } from "./retryRules.ts";
import { isKnownCode, serviceError } from "./serviceErrors.ts";
import type { Settings } from "./settings.ts";
import { hasShape } from "./shapes.ts";

/** One of the generated requests, by the operation that it is. */
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
  const { clock, endpoint, fetch } = settings;
  const key = operation === "status" ? undefined : settings.key;
  const reading = { serviceError, isKnownCode, now: () => clock.now(), addressOption: "baseUrl" };
  const about = { operation, endpoint, fetch, key, signal: options.signal, ...reading };
  const request = { requests: getSdk, send, hasShape: (value: unknown) => hasShape(operation, value) };
  return callWithRetries(
    settings,
    {
      operation,
      mayRepeat: (error) => mayRepeat(operation, error),
      send: (timeoutMs) => sendGenerated({ ...about, timeoutMs }, request),
    },
    options,
  );
}
