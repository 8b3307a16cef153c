import { HttpResponse, http } from "msw";
import { type AnsweringMock, handlersOf } from "./transports/mswHandlers.ts";

export type { Incoming, Outcome, Reply } from "./http/exchange.ts";
export type { AnsweringMock };

/**
 * Handlers for MSW's `setupServer` or `setupWorker`, e.g. `setupServer(...handlers(mock))`. Their type has no import of MSW 3, an
 * ES module, which a CommonJS program with `moduleResolution: node16` could not compile.
 */
export function handlers(mock: AnsweringMock): never[] {
  return handlersOf({ http, HttpResponse }, mock) as never[];
}
