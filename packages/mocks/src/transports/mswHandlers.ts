import type { HttpHandler, HttpResponse, http } from "msw";
import type { Incoming, Outcome } from "../http/exchange.ts";
import { incomingOfRequest, responseOf } from "./fetch.ts";

/** What the handlers need of a mock. */
export interface AnsweringMock {
  /** Every origin that it answers for. */
  readonly origins: readonly string[];
  /** Answers one request; `dropped` cuts its connection. */
  answer(request: Incoming): Promise<Outcome>;
}

/** What they need of MSW. */
export interface MswParts {
  readonly http: Pick<typeof http, "all">;
  readonly HttpResponse: Pick<typeof HttpResponse, "error">;
}

/**
 * Every request to an address of the mock is answered, the unknown ones as the service would: nothing of them is passed on
 * to the network, whatever `onUnhandledFrame` says, or `onUnhandledRequest` of MSW 2.
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
