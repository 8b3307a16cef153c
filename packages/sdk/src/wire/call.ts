import { operationCaller } from "@social-connect/sdk-core";
import { type Documents, HEADS } from "../_generated/documents.ts";
import { type OperationName, REPEATING } from "../_generated/operations.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { mayRepeat } from "./retryRules.ts";
import { CLASS_BY_CODE, serviceError } from "./serviceErrors.ts";

/**
 * `exchange` calls an operation, and `sendOwn` sends a request with another document. Both return the result and how it was
 * answered.
 */
export const { exchange, sendOwn } = operationCaller<OperationName, Documents, "request">({
  heads: HEADS,
  validators: ANSWERS,
  repeatRule: (operation) => (error) => mayRepeat(operation, error),
  isOnce: (operation) => REPEATING[operation] === "another",
  ownName: "request",
  withoutKey: ["status"],
  addressOption: "baseUrl",
  serviceError,
  isKnownCode: (code: string) => CLASS_BY_CODE.has(code),
});
