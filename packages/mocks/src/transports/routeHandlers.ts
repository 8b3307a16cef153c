import { ownHostsAt } from "@social-connect/domain";
import { checkHostName, hostRefusal, type Incoming, type Outcome } from "../http/exchange.ts";
import { incomingOfRequest, responseOf } from "./fetch.ts";

/**
 * A mock with its base URL, under which a framework serves it. Extends no type of the entry point for MSW, whose types would
 * then be those of the main entry point too.
 */
export interface RoutedMock {
  /** Its path is the route, e.g. `http://localhost:3000/social-connect`. */
  readonly baseUrl: string;
  /** Answers a request; `dropped` closes its connection. */
  answer(request: Incoming): Promise<Outcome>;
}

/** Handles a request of the Fetch API. */
export type RouteHandler = (request: Request) => Promise<Response>;

/** How clients reach the routes. */
export interface RouteOptions {
  /** Host names besides those of the base URL and of this machine, without a port. Requests to other names are rejected. */
  readonly allowedHosts?: readonly string[];
}

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/**
 * Serves a mock below the path of its base URL in any framework with Request and Response: Hono, Bun, Deno, workers.
 * The URL of a request may have the framework's own host name, so only its path counts.
 */
export function fetchHandler(mock: RoutedMock, { allowedHosts = [] }: RouteOptions = {}): RouteHandler {
  const { origin } = new URL(mock.baseUrl);
  // The framework may listen at every address, and its URLs then contain that address.
  const ownHosts = ownHostsAt("0.0.0.0", [mock.baseUrl], allowedHosts.map(checkHostName));
  return async (request) => {
    const { host, pathname, search } = new URL(request.url);
    const refusal = hostRefusal([request.headers.get("host") ?? host], ownHosts);
    if (refusal !== null) return responseOf(refusal);
    const url = new URL(`${origin}${pathname}${search}`);
    const outcome = await mock.answer({ ...incomingOfRequest(request), url, ownHosts });
    return outcome === "dropped" ? droppedResponse() : responseOf(outcome);
  };
}

/**
 * The exports of a route module of Next.js: `export const { GET, POST, DELETE } = routeHandlers(mock)` in
 * `app/social-connect/[...path]/route.ts`, for a mock with the base URL `http://localhost:3000/social-connect`.
 */
export function routeHandlers(mock: RoutedMock, options: RouteOptions = {}): Readonly<Record<Method, RouteHandler>> {
  const handler = fetchHandler(mock, options);
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}

/** A handler cannot close the connection. A truncated body makes the framework do so. */
function droppedResponse(): Response {
  const body = new ReadableStream({
    start: (controller) => controller.error(new TypeError("A fault of the mock closed the connection.")),
  });
  return new Response(body, { status: 502 });
}
