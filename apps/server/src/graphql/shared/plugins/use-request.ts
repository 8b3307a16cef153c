import type { Plugin } from "graphql-yoga";
import type { ReceivedRequest } from "../readRequest.ts";
import { readRequest } from "../readRequest.ts";

/** What every request brings along. */
export interface Incoming {
  /** Reads the body; null when it is larger than a body may be. */
  readonly receive: () => Promise<ReceivedRequest | null>;
  /** Where it comes from; found out only for a call that is refused. */
  readonly from: () => { readonly address: string; readonly network: string };
}

/** Answered with 413 and no body (service description, part 7). */
export class RequestTooLargeError extends Error {}

/**
 * Takes the request in: `admit` lets it pass or throws before its body is read, so that a stranger's is not; then the body is
 * one JSON object with one operation, and nothing else. `refuse` looks at the object before its query is looked at.
 */
export function useRequest<Context extends Incoming>({
  admit,
  refuse,
}: {
  readonly admit?: (context: Context) => Promise<void>;
  readonly refuse?: (body: Readonly<Record<string, unknown>>) => Error | null;
}): Plugin {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const context = serverContext as unknown as Context;
      setRequestParser(async () => {
        await admit?.(context);
        const received = await context.receive();
        if (received === null) throw new RequestTooLargeError("the request is too large");
        const request = readRequest(received, refuse);
        if (request instanceof Error) throw request;
        return { ...request };
      });
    },
  };
}
