import type { z } from "zod";
import type { ListRequest } from "./contract.ts";
import { ProviderError } from "./contract.ts";
import { parseExactJson } from "./exactJson.ts";

/** A cursor as text: a small JSON object in base64url. It holds positions and ids, never a token. */
export function encodeCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** The position in a cursor; null for the first page. Throws ProviderError `rejected` for text that is no cursor of ours. */
export function decodeCursor<Schema extends z.ZodType>(schema: Schema, cursor: string | null): z.output<Schema> | null {
  if (cursor === null) return null;
  const parsed = schema.safeParse(parseExactJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw new ProviderError("rejected", "the listing cursor is not one of this adapter");
  return parsed.data;
}

/** Inside the window by its date; a post without any date is kept, because nothing says that it is outside. */
export function mayBeInWindow(date: Date | null, request: ListRequest): boolean {
  return date === null || (date >= request.publishedAfter && date < request.publishedBefore);
}

/**
 * What is still to be handed out of an upstream page that was read before and cut after `lastId`. When that post is no
 * longer on the page, the whole page is given again: a repeated post does no harm, a lost one does.
 */
export function afterLast<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  lastId: string | undefined,
): readonly Item[] {
  return lastId === undefined ? items : items.slice(items.findIndex((item) => idOf(item) === lastId) + 1);
}
