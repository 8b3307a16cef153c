import { type HttpHandler, HttpResponse, http } from "msw";
import { type AnsweringMock, handlersOf } from "./transports/mswHandlers.ts";

export type { Incoming, Outcome, Reply } from "./http/exchange.ts";
export type { AnsweringMock };

/** Handlers for MSW's `setupServer` or `setupWorker`, e.g. `setupServer(...handlers(mock))`. */
export function handlers(mock: AnsweringMock): HttpHandler[] {
  return handlersOf({ http, HttpResponse }, mock);
}
