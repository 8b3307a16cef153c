export const CORRELATION_ID = "99999999-8888-4777-8666-555555555555";

/** An answer with one GraphQL error. */
export function refusal(code: string, extensions: Record<string, unknown> = {}, message = "Refused."): Response {
  return Response.json({
    data: null,
    errors: [{ message, extensions: { code, correlationId: CORRELATION_ID, ...extensions } }],
  });
}

/** The error of `fetch` for a refused connection. */
export function notConnected(): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) });
}

/** The error of `fetch` for a connection that is lost after the request was sent. */
export function connectionLost(): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
}

/** An HTML page of a proxy instead of the service. */
export function proxyPage(status: number, headers: Record<string, string> = {}): Response {
  return new Response("<h1>a page of a proxy</h1>", { status, headers: { "content-type": "text/html", ...headers } });
}
