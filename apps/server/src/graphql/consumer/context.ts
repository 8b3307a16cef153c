import { AppError, INVALID_APPLICATION_KEY } from "@social-connect/domain";
import type { Caller } from "../../modules/applications/authenticate.ts";
import type { EnvelopeContext } from "../shared/plugins/use-envelope.ts";

/** What one request to the consumer API carries through its resolvers. */
export interface ConsumerContext extends EnvelopeContext {
  /** Every Authorization header of the request. */
  readonly authorization: readonly string[];
  /** Set before execution when the operation has a field that needs the application key. */
  caller: Caller | null;
}

/** The calling application; every field except `status` requires it. */
export function callerOf(context: ConsumerContext): Caller {
  if (context.caller === null) {
    throw new AppError(INVALID_APPLICATION_KEY);
  }
  return context.caller;
}
