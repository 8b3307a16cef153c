import { utf8Text } from "@social-connect/domain";
import type { Incoming, Outcome, Reply } from "../http/exchange.ts";

/** Whoever answers requests. */
export type Answerer = (request: Incoming) => Promise<Outcome>;

/** Statuses that a Response must not have a body with. */
const BODYLESS = [204, 205, 304];

/**
 * A `fetch` that reaches the mock and nothing else. A request to another host rejects: a test that forgot to mock
 * something is to be told so, and nothing of it may leave the machine.
 */
export function fetchDoor(answer: Answerer, origins: readonly string[]): typeof globalThis.fetch {
  return async (input, init) => {
    const { request, signal, redirect } = incomingOf(input, init);
    let next = request;
    for (let hops = 0; ; hops += 1) {
      signal?.throwIfAborted();
      if (!origins.includes(next.url.origin)) {
        throw new TypeError(`fetch failed: the mock answers for ${origins.join(", ")} and not for ${next.url.origin}`);
      }
      const outcome = await untilAborted(answer(next), signal);
      if (outcome === "dropped") throw new TypeError("fetch failed: the mock cut the connection, as it was asked to");
      const location = redirect === "manual" ? undefined : locationOf(outcome);
      if (location === undefined) return responseOf(outcome);
      if (redirect === "error" || hops >= MOST_HOPS)
        throw new TypeError("fetch failed: a redirect was not to be followed");
      const { cookie: _, ...rest } = Object.fromEntries(next.headers);
      next = { method: "GET", url: new URL(location, next.url), headers: new Headers(rest), text: async () => "" };
    }
  };
}

const MOST_HOPS = 20;

function locationOf({ status, headers }: Reply): string | undefined {
  return status >= 300 && status < 400 ? headers.find(([name]) => name === "location")?.[1] : undefined;
}

export function responseOf({ status, headers, body }: Reply): Response {
  const list = new Headers();
  for (const [name, value] of headers) list.append(name, value);
  return new Response(BODYLESS.includes(status) ? null : body, { status, headers: list });
}

/** A request of the Fetch API as the mock takes it. */
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

interface Arrived {
  readonly request: Incoming;
  readonly signal: AbortSignal | undefined;
  readonly redirect: NonNullable<RequestInit["redirect"]>;
}

/**
 * A text that is posted to a plain address is read as it is: making a Request of it would cost more than answering it. All
 * else becomes a Request, which refuses what no request can be.
 */
function incomingOf(input: string | URL | Request, init: RequestInit | undefined): Arrived {
  const body = init?.body;
  const isPosted = init?.method === "POST" && typeof body === "string";
  const url = isPosted && !(input instanceof Request) ? new URL(input) : null;
  if (!isPosted || url === null || url.username !== "" || url.password !== "") {
    const request = new Request(input, init);
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
