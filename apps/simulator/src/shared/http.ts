import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";

/** Details of a call for the log, set by its handler. */
export interface Trace {
  endpoint?: string;
  account?: string;
  clientId?: string;
  /** e.g. the applied fault. */
  note?: string;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: { trace: Trace };
}
export type App = Hono<AppEnv>;
export type Call = Context<AppEnv>;

/** A JSON response that must not be cached. */
export function jsonResponse(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${JSON.stringify(body, null, 2)}\n`, {
    status,
    headers: { "content-type": "application/json; charset=UTF-8", "cache-control": "no-store", ...headers },
  });
}

/** The fields of a form-encoded body; null for another content type or a duplicate field. */
export async function readForm(call: Call): Promise<ReadonlyMap<string, string> | null> {
  const contentType = call.req.header("content-type") ?? "";
  if (!contentType.toLowerCase().startsWith("application/x-www-form-urlencoded")) return null;
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await call.req.text())) {
    if (fields.has(name)) return null;
    fields.set(name, value);
  }
  return fields;
}

/** The values of a list parameter: separated by commas, repeated, or both. */
export function listParameter(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

/** The token of an `Authorization: Bearer` header (RFC 6750, 2.1). */
export function bearerToken(call: Call): string | null {
  return /^Bearer ([^\s]+)$/i.exec(call.req.header("authorization") ?? "")?.[1] ?? null;
}

/** The header of RFC 9110, section 10.2.3. */
export function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "retry-after": `${seconds}` };
}
