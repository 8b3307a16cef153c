import { request as send } from "node:http";
import { text } from "node:stream/consumers";

export interface RawResponse {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends any header, such as Host and Sec-Fetch-Site, which `fetch` does not send. */
export async function rawRequest(url: string, request: RawRequest = {}): Promise<RawResponse> {
  const { method = "GET", headers = {}, body = "" } = request;
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      text(response).then(
        (read) => resolve({ status, text: read, location: received.location, headers: received }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
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
