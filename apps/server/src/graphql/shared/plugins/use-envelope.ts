import type { ExecutionResult } from "graphql";
import { GraphQLError } from "graphql";
import type { FetchAPI, Plugin } from "graphql-yoga";
import type { Answer } from "../answer.ts";
import { originalOf } from "../answer.ts";
import { RequestTooLargeError } from "./use-request.ts";

/** How an API writes what became of a request. */
export interface Envelope<Context> {
  /** Nothing ran: the request's shape, the document or the variables are not what they have to be. */
  readonly refused: (error: GraphQLError, context: Context) => Answer;
  /** The operation ran, or was refused as a whole. */
  readonly answered: (
    result: { readonly data: unknown; readonly errors: readonly unknown[] },
    context: Context,
  ) => Answer;
  /** Told of a body that was larger than one may be, which is answered without a body. */
  readonly tooLarge: (context: Context) => void;
}

/** The one place where an answer is written: plain JSON, whatever the caller would rather have. */
export function useEnvelope<Context extends object>({ refused, answered, tooLarge }: Envelope<Context>): Plugin {
  const write = ({ data, errors = [] }: ExecutionResult, context: Context): Answer => {
    if (data !== undefined) return answered({ data, errors }, context);
    // What is not an error of GraphQL's own was thrown on purpose, before there was a document.
    const isRefusal = errors.some((error) => originalOf(error) !== null);
    if (isRefusal) return answered({ data: null, errors }, context);
    // The first error only: a document with hundreds would make an answer many times its size.
    const [first = new GraphQLError("The request is not valid.")] = errors;
    return refused(first, context);
  };
  return {
    onResultProcess({ result, serverContext, setResultProcessor }) {
      setResultProcessor(
        (_result: unknown, fetchAPI: FetchAPI) =>
          respond(result as ExecutionResult, fetchAPI, {
            write: (done) => write(done, serverContext as unknown as Context),
            tooLarge: () => tooLarge(serverContext as unknown as Context),
          }),
        "application/json",
      );
    },
  };
}

function respond(
  result: ExecutionResult,
  { Response }: FetchAPI,
  { write, tooLarge }: { readonly write: (result: ExecutionResult) => Answer; readonly tooLarge: () => void },
) {
  const isTooLarge = result.errors?.some((error) => originalOf(error) instanceof RequestTooLargeError);
  if (isTooLarge) {
    tooLarge();
    return new Response(null, { status: 413, headers: { "content-length": "0" } });
  }
  const { status, body } = write(result);
  return new Response(body, {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      // Told, so that the answer leaves in one piece and not in chunks.
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
