import type { HttpHandler, HttpResponse, http } from "msw";
import type { Incoming, Outcome } from "../http/exchange.ts";
import { MockMisuseError } from "../util/misuse.ts";
import { incomingOfRequest, responseOf } from "./fetch.ts";

interface NodeModule {
  createRequire(from: string): (name: string) => unknown;
}

/**
 * Loads MSW, an optional dependency, synchronously on first use. Node returns the same module that the test imports. Other
 * runtimes import `@social-connect/mocks/msw`.
 */
export function loadMsw(): MswParts {
  const runtime: { process?: { getBuiltinModule?: (name: string) => unknown; cwd?: () => string } } = globalThis;
  const node = runtime.process?.getBuiltinModule?.("node:module") as NodeModule | undefined;
  const bases = [import.meta.url, `file://${runtime.process?.cwd?.() ?? ""}/`].filter((base) => base !== undefined);
  for (const base of node === undefined ? [] : bases) {
    try {
      return node?.createRequire(base)("msw") as MswParts;
    } catch {
      // Try the next base; the error below describes the alternatives.
    }
  }
  throw new MockMisuseError(
    'MSW could not be loaded. Install msw 2.11 or newer, or use: import { handlers } from "@social-connect/mocks/msw"; setupServer(...handlers(mock));',
  );
}

/** The parts of a mock that the handlers use. */
export interface AnsweringMock {
  /** Every origin of the mock. */
  readonly origins: readonly string[];
  /** Answers a request; `dropped` closes its connection. */
  answer(request: Incoming): Promise<Outcome>;
}

/** The parts of MSW that the handlers use. */
interface MswParts {
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
