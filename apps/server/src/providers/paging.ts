import { z } from "zod";
import { type ListPage, type ListRequest, ProviderError } from "./contract.ts";
import { parseExactJson } from "./exactJson.ts";

/** An opaque cursor: a small JSON object in base64url. It contains positions and ids, never a token. */
export function encodeCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** The position of a cursor; null for the first page. Throws ProviderError `rejected` for a foreign cursor. */
export function decodeCursor<Schema extends z.ZodType>(schema: Schema, cursor: string | null): z.output<Schema> | null {
  if (cursor === null) return null;
  const parsed = schema.safeParse(parseExactJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw new ProviderError("rejected", "the listing cursor is not one of this adapter");
  return parsed.data;
}

/** A provider refuses pages that are too large for it. Smaller ones than this are not worth a call each. */
export const MIN_PAGE_SIZE = 5;

/**
 * Reads a page, at half the size while the provider refuses it as too large. Returns the accepted size, which the listing
 * keeps in its position.
 */
export async function readFittingPage<Page>(
  size: number,
  read: (size: number) => Promise<Page | "too-large">,
): Promise<{ readonly page: Page; readonly size: number }> {
  for (let fitting = size; ; fitting = Math.max(MIN_PAGE_SIZE, Math.floor(fitting / 2))) {
    const page = await read(fitting);
    if (page !== "too-large") return { page, size: fitting };
    if (fitting <= MIN_PAGE_SIZE) throw new ProviderError("unavailable", "the provider refuses a page of any size");
  }
}

/** The number of tries at a position of the list that the provider does not find. */
const MISSING_PAGE_ATTEMPTS = 3;

/** What the position of every listing has of its page. */
export function pageFields(pageSize: number) {
  return {
    /** The size that the provider accepted last. */
    size: z.number().int().min(MIN_PAGE_SIZE).max(pageSize).optional(),
    /** Fields that the provider refused. */
    without: z.array(z.string()).optional(),
    /** How often the provider did not find it. */
    missing: z.number().int().positive().optional(),
  };
}

/** The same for the next page. */
export function nextPageFields(pageSize: number, size: number, without: readonly string[]) {
  return { ...(size < pageSize && { size }), ...(without.length > 0 && { without: [...without] }), missing: undefined };
}

/** The last page of a listing, or the page of which another follows. */
export function pageOf(
  items: ListPage["items"],
  next: object | null,
  incompleteReason: ListPage["incompleteReason"] = null,
): ListPage {
  return { items, nextCursor: next && encodeCursor(next), incompleteReason };
}

/**
 * The provider does not find the list, or a position in it that it named itself. That can pass, so the position is tried
 * twice more. Then the listing ends early.
 */
export function missingPage(from: { readonly missing?: number | undefined }, isFirstPage: boolean): ListPage {
  const missing = (from.missing ?? 0) + 1;
  if (missing >= MISSING_PAGE_ATTEMPTS) return pageOf([], null, "UPSTREAM_PAGE_LIMIT");
  return {
    ...pageOf([], { ...from, missing }),
    interruption: new ProviderError("unavailable", "the provider does not find its list of posts"),
    ...(isFirstPage && { isListMissing: true }),
  };
}

/** Inside the window by its date; a post without a date is included, because nothing shows that it is outside. */
export function mayBeInWindow(date: Date | null, request: ListRequest): boolean {
  return date === null || (date >= request.publishedAfter && date < request.publishedBefore);
}

/** The posts of a page that are not in `done`, each once: a page can repeat posts, its own and those of the page before. */
export function notYetRead<Post extends { readonly id: string }>(
  posts: readonly Post[],
  done: readonly string[],
): Post[] {
  const known = new Set(done);
  return posts.filter(({ id }) => !known.has(id) && known.add(id));
}

/** An earlier page of a listing, stored in its position. */
export const landmark = z.object({
  at: z.string(),
  pages: z.number().int().nonnegative(),
  /** A later page replaces it after so many pages. */
  until: z.number().int().positive(),
});
type Landmark = z.output<typeof landmark>;

/**
 * Recognizes cursors that lead back to an earlier page, and would be followed forever: each is compared with one earlier
 * cursor, which a later one replaces after twice as many pages (Brent's algorithm). Null for such a cursor.
 */
export function passLandmark(mark: Landmark | undefined, cursor: string): Landmark | null {
  if (mark === undefined) return { at: cursor, pages: 0, until: 1 };
  if (mark.at === cursor) return null;
  const pages = mark.pages + 1;
  return pages < mark.until ? { ...mark, pages } : { at: cursor, pages: 0, until: mark.until * 2 };
}
