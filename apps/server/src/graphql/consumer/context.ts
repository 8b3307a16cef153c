import type { Caller } from "../../modules/applications/authenticate.ts";
import type { Service } from "../../modules/service.ts";
import { AppError } from "../../platform/appError.ts";
import type { Incoming } from "../shared/plugins/use-request.ts";

/** What one request to the consumer API carries through its resolvers. */
export interface ConsumerContext extends Incoming {
  readonly service: Service;
  /** Quoted by a caller who asks for help; in every error and log line of the request. */
  readonly correlationId: string;
  /** The request's Authorization headers, as many as were sent. */
  readonly authorization: readonly string[];
  /** Set before execution when the operation has a field that needs the application key. */
  caller: Caller | null;
}

/** The application that calls. Every field but `status` goes through here. */
export function callerOf(context: ConsumerContext): Caller {
  if (context.caller === null) {
    throw new AppError({ code: "UNAUTHENTICATED", message: "A valid application key is required." });
  }
  return context.caller;
}
