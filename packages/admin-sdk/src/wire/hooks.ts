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
/** A request is to be sent again. */
export type RetryEvent = AnyRetryEvent<OperationName>;

/**
 * For logs, metrics and traces. Events name operations, times and codes, and never hold arguments, answers or secrets.
 * What a hook throws is dropped: watching a call must not change how it ends.
 */
export type Hooks = AnyHooks<OperationName>;
