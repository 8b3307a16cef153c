import type { IncomingMessage } from "node:http";

/** The caller disconnected before sending the whole request. */
export class CallerLeftError extends Error {}

/**
 * A request's body; null as soon as it exceeds `maxBytes`, with or without Content-Length. The rest of a large body is
 * read and discarded, because closing the connection would lose the response. Throws CallerLeftError.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      chunks.length = 0;
      resolve(null);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", (cause) => reject(new CallerLeftError("the request was aborted", { cause })));
    // Every request is closed in the end; an error after its completion has no reader, so it is not created.
    request.once("close", () => request.complete || reject(new CallerLeftError("the caller disconnected")));
  });
}
