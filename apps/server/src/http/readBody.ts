import type { IncomingMessage } from "node:http";

/** A piece may be one byte, and its buffer takes a hundred. */
const MAX_PIECES = 64;

/** The caller disconnected before sending the whole request. */
export class CallerLeftError extends Error {}

/**
 * A request's body; null as soon as it exceeds `maxBytes`, with or without Content-Length. The rest of a large body is
 * read and discarded, because closing the connection would lose the response. Throws CallerLeftError.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) {
        chunks.push(chunk);
        if (chunks.length > MAX_PIECES) chunks = [Buffer.concat(chunks)];
        return;
      }
      chunks = [];
      resolve(null);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", (cause) => reject(new CallerLeftError("the request was aborted", { cause })));
    // Every request is closed in the end; an error after its completion has no reader, so it is not created.
    request.once("close", () => request.complete || reject(new CallerLeftError("the caller disconnected")));
  });
}
