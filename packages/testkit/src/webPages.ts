import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface RawRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Sent one by one, without a Content-Length unless a header sets it. */
  readonly chunks?: readonly (string | Uint8Array)[];
}

/** A request that `fetch` would change: it sends any path and any header, such as Host, and decompresses nothing. */
export async function rawRequest(url: string, { body, chunks = [], ...options }: RawRequest = {}) {
  const sent = request(new URL(url), { agent: false, ...options });
  // The server may respond and close the connection before it has received everything.
  sent.on("error", () => undefined);
  for (const chunk of chunks) sent.write(chunk);
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const received = await buffer(response);
  const { statusCode: status = 0, headers } = response;
  return { status, headers, location: headers.location, body: received, text: received.toString("utf8") };
}

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64)";

/** POST requests of web pages that must not change anything on a server of this machine, by what a browser sends. */
export const HOSTILE_PAGES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["a rebound name", { host: "evil.test", origin: "http://evil.test", "sec-fetch-site": "same-origin" }],
  ["a rebound name, as JSON", { host: "evil.test", origin: "http://evil.test", "content-type": "application/json" }],
  ["a rebound name without metadata", { host: "evil.test" }],
  ["a name that begins like an own one", { host: "127.0.0.1.evil.test" }],
  ["a name that ends like an own one", { host: "evil-localhost" }],
  ["another site", { origin: "https://evil.test", "sec-fetch-site": "cross-site", "content-type": "text/plain" }],
  ["another site without metadata", { origin: "https://evil.test", "content-type": "text/plain" }],
  ["another port of this machine", { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }],
  ["a subdomain of the same site", { host: "localhost", origin: "http://evil.localhost" }],
  ["the same site without an origin", { "sec-fetch-site": "same-site" }],
  ["an opaque origin", { origin: "null", "content-type": "text/plain" }],
  ["a text form without metadata", { "user-agent": BROWSER, "content-type": "text/plain" }],
  ["a form without metadata", { "user-agent": BROWSER, "content-type": "application/x-www-form-urlencoded" }],
];
