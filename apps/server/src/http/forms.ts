import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { CallerLeftError, readBody } from "./readBody.ts";

/** Reads forms from the connection, where their size is bounded. */
export type FormEnv = { Bindings: HttpBindings };

const MAX_FORM_BYTES = 16_384;

/**
 * The single value of a field in a urlencoded body; null when it is missing or duplicated, or when the body has another
 * type, is too large or is aborted. A body without Content-Length is bounded too: these routes are public.
 */
export async function formField(context: Context<FormEnv>, name: string): Promise<string | null> {
  const mediaType = context.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  const body = await readBody(context.env.incoming, MAX_FORM_BYTES).catch(ignoreCallerLeft);
  if (body === null) return null;
  const [value, ...others] = new URLSearchParams(body.toString("utf8")).getAll(name);
  return value === undefined || others.length > 0 ? null : value;
}

function ignoreCallerLeft(error: unknown): null {
  if (error instanceof CallerLeftError) return null;
  throw error;
}
