import { operationCaller } from "@social-connect/sdk-core";
import { getSdk } from "../_generated/requests.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { mayRepeat } from "./retryRules.ts";
import { CLASS_BY_CODE, serviceError } from "./serviceErrors.ts";

/**
 * `call` calls an operation and returns its value, `exchange` also returns how it was answered, and `sendOwn` sends a request
 * with another document.
 */
export const { call, exchange, sendOwn } = operationCaller({
  requests: getSdk,
  validators: ANSWERS,
  repeatRule: (operation) => (error) => mayRepeat(operation, error),
  ownName: "request",
  withoutKey: ["status"],
  addressOption: "baseUrl",
  serviceError,
  isKnownCode: (code: string) => CLASS_BY_CODE.has(code),
});
