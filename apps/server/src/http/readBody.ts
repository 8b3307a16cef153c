import type { IncomingMessage } from "node:http";

/** The caller went away before its request was whole: there is nobody to answer. */
export class CallerLeftError extends Error {}

/**
 * A request's body; null as soon as it is larger than `maxBytes`, whether or not its length was told. The rest of such
 * a body is let through unseen, because a connection that is cut would take the answer with it. Throws CallerLeftError.
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
    request.once("error", (cause) => reject(new CallerLeftError("the request broke off", { cause })));
    // Every request is closed in the end; an error that nobody needs any more is not worth its making.
    request.once("close", () => request.complete || reject(new CallerLeftError("the caller left")));
  });
}
