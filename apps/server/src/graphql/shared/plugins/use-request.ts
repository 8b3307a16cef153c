import type { Refusal } from "@social-connect/domain";
import type { ReceivedRequest } from "@social-connect/transport";
import { readRequest } from "@social-connect/transport";
import type { Plugin } from "graphql-yoga";

/** The connection-level part of every request. */
export interface Incoming {
  /** Reads the body; null when it exceeds the size limit. */
  readonly receive: () => Promise<ReceivedRequest | null>;
  /** The caller's address; computed only when a call is rejected. */
  readonly from: () => { readonly address: string; readonly network: string };
  /** Registers a function to run when the caller disconnects before the response; returns how to remove it. */
  readonly whenLeft: (run: () => void) => () => void;
}

/** The response is 413 without a body (service description, part 7). */
export class RequestTooLargeError extends Error {}

/**
 * Reads the request: `admit` authenticates it before its body is read; the body must be one JSON object with one
 * operation. `checkBody` checks the object before its query.
 */
export function useRequest<Context extends Incoming>({
  admit,
  checkBody,
}: {
  readonly admit?: (context: Context) => Promise<void>;
  readonly checkBody?: (body: Readonly<Record<string, unknown>>) => Refusal | null;
}): Plugin {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const context = serverContext as unknown as Context;
      setRequestParser(async () => {
        await admit?.(context);
        const received = await context.receive();
        if (received === null) throw new RequestTooLargeError("the request is too large");
        const request = readRequest(received, checkBody);
        if (request instanceof Error) throw request;
        return { ...request };
      });
    },
  };
}
