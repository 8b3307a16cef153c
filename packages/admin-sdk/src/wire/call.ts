import { operationCaller } from "@social-connect/sdk-core";
import { getSdk } from "../_generated/requests.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { repeatRule } from "./retryRules.ts";
import { CLASS_BY_CODE, serviceError } from "./serviceErrors.ts";

/** Calls an operation and returns its value. */
export const call = operationCaller({
  requests: getSdk,
  validators: ANSWERS,
  repeatRule,
  addressOption: "host",
  serviceError,
  isKnownCode: (code: string) => CLASS_BY_CODE.has(code),
});
