export const CORRELATION_ID = "99999999-8888-4777-8666-555555555555";

/** An answer with one GraphQL error. */
export function refusal(code: string, extensions: Record<string, unknown> = {}, message = "Refused."): Response {
  return Response.json({
    data: null,
    errors: [{ message, extensions: { code, correlationId: CORRELATION_ID, ...extensions } }],
  });
}

/** What `fetch` rejects with when nothing listens at the address. */
export function notConnected(): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) });
}

/** What `fetch` rejects with when the connection breaks after the request was written. */
export function connectionLost(): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
}

/** An HTML page of a proxy instead of the service. */
export function proxyPage(status: number, headers: Record<string, string> = {}): Response {
  return new Response("<h1>a page of a proxy</h1>", { status, headers: { "content-type": "text/html", ...headers } });
}
