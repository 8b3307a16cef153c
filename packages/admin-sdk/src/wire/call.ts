import { operationCaller } from "@social-connect/sdk-core";
import { getSdk } from "../_generated/requests.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { repeatRule } from "./retryRules.ts";
import { CLASS_BY_CODE, serviceError } from "./serviceErrors.ts";

/** `exchange` calls an operation and returns its value and how it was answered. */
export const { exchange } = operationCaller({
  requests: getSdk,
  validators: ANSWERS,
  repeatRule,
  addressOption: "host",
  serviceError,
  isKnownCode: (code: string) => CLASS_BY_CODE.has(code),
});
