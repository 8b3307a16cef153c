/** Replies of a fake service, and errors of a fake `fetch`. */

export const CORRELATION_ID = "99999999-8888-4777-8666-555555555555";

export function refusal(code: string, extensions: Record<string, unknown> = {}, message = "Refused."): Response {
  const error = { message, extensions: { code, correlationId: CORRELATION_ID, ...extensions } };
  return Response.json({ data: null, errors: [error] });
}

export function jsonText(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}

/** An HTML page of a proxy instead of the service. */
export function proxyPage(status: number, headers: Record<string, string> = {}): Response {
  return new Response("<h1>a page of a proxy</h1>", { status, headers: { "content-type": "text/html", ...headers } });
}

export function systemFault(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("fault"), { code }) });
}

/** The connection was refused, so the request was not sent. */
export const notConnected = () => systemFault("ECONNREFUSED");

/** The connection was lost after the request was sent. */
export const connectionLost = () => systemFault("ECONNRESET");

/** The name of the operation that a document calls. */
export function operationIn(document: string): string {
  return /\{\s*(\w+)/.exec(document.replace(/\([^)]*\)/g, ""))?.[1] ?? "";
}
