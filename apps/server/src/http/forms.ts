import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { CallerLeftError, readBody } from "./readBody.ts";

/** Reads forms from the connection, where their size is bounded. */
export type FormEnv = { Bindings: HttpBindings };

const MAX_FORM_BYTES = 16_384;

/**
 * A urlencoded body, which can be read once; without fields when it has another type, is too large or is aborted. A body
 * without Content-Length is bounded too: these routes are public.
 */
export async function readForm(context: Context<FormEnv>, maxBytes = MAX_FORM_BYTES): Promise<URLSearchParams> {
  const mediaType = context.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") return new URLSearchParams();
  const body = await readBody(context.env.incoming, maxBytes).catch(ignoreCallerLeft);
  return new URLSearchParams(body?.toString("utf8"));
}

/** The single value of a field; null when it is missing or duplicated. */
export function fieldOf(form: URLSearchParams, name: string): string | null {
  const [value, ...others] = form.getAll(name);
  return value === undefined || others.length > 0 ? null : value;
}

function ignoreCallerLeft(error: unknown): null {
  if (error instanceof CallerLeftError) return null;
  throw error;
}
