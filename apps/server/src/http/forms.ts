import type { Context } from "hono";

const LARGEST_FORM_BYTES = 16_384;

/** The one value of a field in a urlencoded body; null when it is missing, doubled, or the body is of another kind or too large. */
export async function formField(context: Context, name: string): Promise<string | null> {
  const mediaType = context.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  if (Number(context.req.header("content-length") ?? 0) > LARGEST_FORM_BYTES) return null;
  const body = await context.req.text();
  if (body.length > LARGEST_FORM_BYTES) return null;
  const [value, ...others] = new URLSearchParams(body).getAll(name);
  return value === undefined || others.length > 0 ? null : value;
}
