import { operationCaller } from "@social-connect/sdk-core";
import { type Documents, HEADS } from "../_generated/documents.ts";
import type { OperationName } from "../_generated/operations.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { repeatRule } from "./retryRules.ts";
import { CLASS_BY_CODE, serviceError } from "./serviceErrors.ts";

/** `exchange` calls an operation and returns its value and how it was answered; `sendOwn` sends a request of another form. */
export const { exchange, sendOwn } = operationCaller<OperationName, Documents>({
  heads: HEADS,
  validators: ANSWERS,
  repeatRule,
  addressOption: "host",
  serviceError,
  isKnownCode: (code: string) => CLASS_BY_CODE.has(code),
});
