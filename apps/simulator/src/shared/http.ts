import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";

/** What a handler finds out about its call, for the log. */
export interface Trace {
  endpoint?: string;
  account?: string;
  clientId?: string;
  /** A word on what happened, e.g. the fault that was played. */
  note?: string;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: { trace: Trace };
}
export type App = Hono<AppEnv>;
export type Call = Context<AppEnv>;

/** A JSON answer that nobody may keep. */
export function jsonAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${JSON.stringify(body, null, 2)}\n`, {
    status,
    headers: { "content-type": "application/json; charset=UTF-8", "cache-control": "no-store", ...headers },
  });
}

/** Text fields of a form-encoded body; null when the body is of another kind or names a field twice. */
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

/** The values of a parameter that holds a list: separated by commas, repeated, or both. */
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
