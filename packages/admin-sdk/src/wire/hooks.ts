import type {
  Hooks as AnyHooks,
  RequestEvent as AnyRequestEvent,
  ResponseEvent as AnyResponseEvent,
  RetryEvent as AnyRetryEvent,
} from "@social-connect/sdk-core";
import type { OperationName } from "../_generated/operations.ts";

/** A request is about to be sent. */
export type RequestEvent = AnyRequestEvent<OperationName>;
/** A request has ended. */
export type ResponseEvent = AnyResponseEvent<OperationName>;
/** A request will be retried. */
export type RetryEvent = AnyRetryEvent<OperationName>;

/**
 * For logs, metrics and traces. Events contain operations, times and codes, but no arguments, responses or secrets. Errors
 * of a hook are ignored.
 */
export type Hooks = AnyHooks<OperationName>;
