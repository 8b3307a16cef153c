import { type ListPage, ProviderError } from "../../providers/contract.ts";
import type { ReadContext } from "./readContext.ts";
import { deletedPost, type ReadResult } from "./recordRead.ts";
import { findPublicationTime } from "./store.ts";

/** A listing without an end proves nothing. */
const MAX_PAGES = 50;
/** Providers' times have seconds. */
const SECOND_MS = 1_000;

/**
 * The provider does not show a post, for one of several causes. Only a listing that covers the post's time and does not
 * contain it proves that it is deleted; otherwise the stored post is unchanged, and the job is retried.
 */
export async function examineHidden(context: ReadContext, id: string): Promise<ReadResult> {
  const publishedAt = await findPublicationTime(context.service, context.connection, id);
  if (publishedAt === undefined) return deletedPost(null);
  if (publishedAt !== null && (await isMissingFromListing(context, id, publishedAt))) return deletedPost(id);
  return { outcome: "interrupted", fault: new ProviderError("unavailable", "the provider does not show a post") };
}

async function isMissingFromListing(
  { adapter, call }: ReadContext,
  id: string,
  publishedAfter: Date,
): Promise<boolean> {
  const publishedBefore = new Date(publishedAfter.getTime() + SECOND_MS);
  const request = { publishedAfter, publishedBefore, maxItems: 100, withMetrics: false };
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const from: string | null = cursor;
    const page: ListPage = await call((session) => adapter.listContent(session, { ...request, cursor: from }));
    if (page.interruption !== undefined) throw page.interruption;
    if (page.items.some((item) => item.providerContentId === id)) return false;
    if (page.nextCursor === null) return page.incompleteReason === null;
    cursor = page.nextCursor;
  }
  return false;
}
