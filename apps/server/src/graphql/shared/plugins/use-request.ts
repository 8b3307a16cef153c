import type { Refusal } from "@social-connect/domain";
import { parseJson, readRequest } from "@social-connect/transport";
import type { Plugin } from "graphql-yoga";
import type { RequestRecord } from "../../../platform/telemetry.ts";
import { measured } from "../measured.ts";

/** The connection-level part of every request. */
export interface Incoming {
  /** What is logged and counted of the request. */
  readonly record: RequestRecord;
  /** Reads the body; null when it exceeds the size limit. */
  readonly receive: () => Promise<{ readonly contentType: string | null; readonly body: string | null } | null>;
  /** The caller's address; computed only when a call is rejected. */
  readonly from: () => { readonly address: string; readonly network: string };
  /** Registers a function to run when the caller disconnects before the response; returns how to remove it. */
  readonly whenLeft: (run: () => void) => () => void;
}

/** Authenticates a caller before a request that is expensive to read. Each throws to reject it. */
export interface Authentication<Context> {
  readonly beforeReading: (body: string | null, context: Context) => Promise<void>;
  readonly beforePreparing: (document: string, context: Context) => Promise<void>;
  /** Before an error of the body, or of the document, is the response: an invalid key comes first. */
  readonly beforeRefusing: (document: string | null, context: Context) => Promise<void>;
}

/** The response is 413 without a body (service description, part 7). */
export class RequestTooLargeError extends Error {}

/**
 * Reads the request: `admit` authenticates it before its body is received, and `authentication` around its parsing; the
 * body must be one JSON object with one operation. `checkBody` checks the object before its query.
 */
export function useRequest<Context extends Incoming>({
  admit,
  authentication,
  checkBody,
}: {
  readonly admit?: (context: Context) => Promise<void>;
  readonly authentication?: Authentication<Context>;
  readonly checkBody?: (body: Readonly<Record<string, unknown>>) => Refusal | null;
}): Plugin {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const context = serverContext as unknown as Context;
      setRequestParser(async () => {
        await admit?.(context);
        const received = await context.receive();
        if (received === null) throw new RequestTooLargeError("the request is too large");
        const { body } = received;
        await authentication?.beforeReading(body, context);
        const request = measured(context.record, () => readRequest({ ...received, body: parseJson(body) }, checkBody));
        if (request instanceof Error) {
          await authentication?.beforeRefusing(null, context);
          throw request;
        }
        return { ...request };
      });
    },
  };
}
