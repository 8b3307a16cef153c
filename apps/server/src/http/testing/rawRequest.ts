import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";

export interface RawRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Sent one by one, without a Content-Length unless a header sets it. */
  readonly chunks?: readonly (string | Uint8Array)[];
}

/** A request that `fetch` would change: it normalizes paths, adds headers and decompresses responses. */
export async function rawRequest(url: string, { body, chunks = [], ...options }: RawRequest = {}) {
  const sent = request(new URL(url), options);
  // The server may respond and close the connection before it has received everything.
  sent.on("error", () => undefined);
  for (const chunk of chunks) sent.write(chunk);
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

/** Sends bytes; everything received until the server closes the connection or `isEnough` is true. */
export function sendBytes(
  url: string,
  bytes: string,
  isEnough: (answers: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answers = "";
    socket.on("data", (chunk) => {
      answers += chunk.toString("latin1");
      if (isEnough(answers)) socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(answers));
  });
}
