import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { CallerLeftError, readBody } from "./readBody.ts";

/** Pages that read a form read it off the connection, where its size is bounded. */
export type FormEnv = { Bindings: HttpBindings };

const LARGEST_FORM_BYTES = 16_384;

/**
 * The one value of a field in a urlencoded body; null when it is missing, doubled, or the body is of another kind, too
 * large or broken off. A body that does not tell its length is bounded as any other: anybody may send one here.
 */
export async function formField(context: Context<FormEnv>, name: string): Promise<string | null> {
  const mediaType = context.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  const body = await readBody(context.env.incoming, LARGEST_FORM_BYTES).catch(nothingOfCallerWhoLeft);
  if (body === null) return null;
  const [value, ...others] = new URLSearchParams(body.toString("utf8")).getAll(name);
  return value === undefined || others.length > 0 ? null : value;
}

function nothingOfCallerWhoLeft(error: unknown): null {
  if (error instanceof CallerLeftError) return null;
  throw error;
}
