import { utf8Text } from "@social-connect/domain";
import type { Incoming, Outcome, Reply } from "../http/exchange.ts";

export type Answerer = (request: Incoming) => Promise<Outcome>;

/** Statuses of a Response without a body. */
const BODYLESS = [204, 205, 304];

/** A `fetch` without network access. A request to another origin rejects, so a test detects what it has not mocked. */
export function mockFetch(answer: Answerer, origins: readonly string[]): typeof globalThis.fetch {
  return async (input, init) => {
    const { request, signal, redirect } = incomingOf(input, init);
    let next = request;
    for (let redirects = 0; ; redirects += 1) {
      signal?.throwIfAborted();
      if (!origins.includes(next.url.origin)) {
        throw new TypeError(`fetch failed: the mock answers ${origins.join(", ")}, not ${next.url.origin}`);
      }
      const outcome = await untilAborted(answer(next), signal);
      if (outcome === "dropped") throw new TypeError("fetch failed: a fault of the mock closed the connection");
      const location = redirect === "manual" ? undefined : locationOf(outcome);
      if (location === undefined) return responseOf(outcome);
      if (redirect === "error" || redirects >= MAX_REDIRECTS) throw new TypeError("fetch failed: unexpected redirect");
      const { cookie: _, ...rest } = Object.fromEntries(next.headers);
      next = { method: "GET", url: new URL(location, next.url), headers: new Headers(rest), text: async () => "" };
    }
  };
}

const MAX_REDIRECTS = 20;

function locationOf({ status, headers }: Reply): string | undefined {
  return status >= 300 && status < 400 ? headers.find(([name]) => name === "location")?.[1] : undefined;
}

export function responseOf({ status, headers, body }: Reply): Response {
  const list = new Headers();
  for (const [name, value] of headers) list.append(name, value);
  return new Response(BODYLESS.includes(status) ? null : body, { status, headers: list });
}

export function incomingOfRequest(request: Request): Incoming {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  return {
    method: request.method,
    url: new URL(request.url),
    headers: request.headers,
    text: async () => utf8Text(new Uint8Array(await request.arrayBuffer())),
    ...(Number.isFinite(length) && { bodyBytes: length }),
  };
}

/**
 * A POST of a string is read directly, because constructing a Request takes longer than answering it. Everything else
 * becomes a Request, which validates it.
 */
function incomingOf(input: string | URL | Request, init: RequestInit | undefined) {
  const body = init?.body;
  const isPosted = init?.method === "POST" && typeof body === "string";
  const url = isPosted && !isRequest(input) ? new URL(input) : null;
  if (!isPosted || url === null || url.username !== "" || url.password !== "") {
    const request = isRequest(input) && init === undefined ? input : new Request(input, init);
    return { request: incomingOfRequest(request), signal: request.signal, redirect: request.redirect };
  }
  const request: Incoming = {
    method: "POST",
    url,
    headers: new Headers(init?.headers),
    text: async () => body,
  };
  return { request, signal: init.signal ?? undefined, redirect: init.redirect ?? "follow" };
}

/** Also a Request of another realm or library, which the constructor of the global one does not accept. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === "object" && "headers" in input;
}

async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
