import type { HttpHandler, HttpResponse, http } from "msw";
import type { Incoming, Outcome } from "../http/exchange.ts";
import { incomingOfRequest, responseOf } from "./fetch.ts";

/** The parts of a mock that the handlers use. */
export interface AnsweringMock {
  /** Every origin of the mock. */
  readonly origins: readonly string[];
  /** Answers a request; `dropped` closes its connection. */
  answer(request: Incoming): Promise<Outcome>;
}

/** The parts of MSW that the handlers use. */
export interface MswParts {
  readonly http: Pick<typeof http, "all">;
  readonly HttpResponse: Pick<typeof HttpResponse, "error">;
}

/**
 * Answers every request to an origin of the mock, so none reaches the network, independent of `onUnhandledFrame`, or
 * `onUnhandledRequest` of MSW 2.
 */
export function handlersOf({ http, HttpResponse }: MswParts, mock: AnsweringMock): HttpHandler[] {
  const isOurs = ({ request }: { readonly request: Request }) => mock.origins.includes(new URL(request.url).origin);
  return [
    http.all(isOurs, async ({ request }) => {
      const outcome = await mock.answer(incomingOfRequest(request));
      return outcome === "dropped" ? HttpResponse.error() : responseOf(outcome);
    }),
  ];
}
