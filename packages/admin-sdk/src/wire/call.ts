import { operationCaller } from "@social-connect/sdk-core";
import { DOCUMENTS } from "../_generated/documents.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { repeatRule } from "./retryRules.ts";
import { CLASS_BY_CODE, serviceError } from "./serviceErrors.ts";

/** `exchange` calls an operation and returns its value and how it was answered. */
export const { exchange } = operationCaller({
  documents: DOCUMENTS,
  validators: ANSWERS,
  repeatRule,
  addressOption: "host",
  serviceError,
  isKnownCode: (code: string) => CLASS_BY_CODE.has(code),
});
