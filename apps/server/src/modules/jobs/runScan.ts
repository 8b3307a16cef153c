import type { ScanIncompleteReason } from "@social-connect/contract";
import { countItems, isDeepScanDue, scanResult } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import type { ReadContext } from "./readContext.ts";
import type { ReadResult } from "./recordRead.ts";
import { runRead } from "./runRead.ts";
import { findUnseenPosts, hasPosts, type Observed } from "./store.ts";

/** Ends a scan of endless empty pages. The smallest page size is 20 posts. */
const MAX_PAGES = 50;
/** Maximum number of unseen stored posts that a scan rereads by ID. */
const MAX_UNSEEN = 200;

/**
 * Reads a window of an account's posts, newest first, up to the job's maxItems. Stores posts, job and connection at the
 * end, usually in one statement. Source: service description, part 4, requestRefresh.
 */
export async function runScan(service: Service, job: RowKey): Promise<void> {
  await runRead(service, job, scan);
}

interface Listing {
  readonly observed: Observed[];
  /** The next page; null after the last one. */
  readonly cursor: string | null;
  /** null if the window was read completely. */
  readonly incompleteReason: ScanIncompleteReason | null;
  /** The error that interrupted the listing, if any. */
  readonly fault: ProviderError | null;
}

async function scan(context: ReadContext): Promise<ReadResult> {
  const { cursor, ...listing } = await list(context);
  const isCovered = listing.fault === null && listing.incompleteReason === null;
  const unseen = isCovered ? await readUnseen(context, listing.observed) : { found: [], deleted: [] };
  const result = scanResult(context.job, listing);
  return {
    ...result,
    observed: [...result.observed, ...unseen.found],
    deleted: unseen.deleted,
    job: { ...result.job, providerCursor: cursor },
  };
}

async function list(context: ReadContext): Promise<Listing> {
  const { job, connection, adapter, service, withMetrics } = context;
  const window = windowOf(job);
  const isDeep = job.background && isDeepScanDue(connection, await service.clock.now());
  const observed: Observed[] = [];
  const visited = new Set<string>();
  let cursor = job.providerCursor;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const maxItems = window.maxItems - job.itemsObserved - countItems(observed);
    if (maxItems <= 0) return { observed, cursor, incompleteReason: "MAX_ITEMS_REACHED", fault: null };
    const observedAt = await service.clock.now();
    const from = cursor;
    try {
      const page = await context.call((session) =>
        adapter.listContent(session, { ...window, cursor: from, maxItems, withMetrics, isDeep }),
      );
      observed.push(...page.items.map((item) => ({ item, observedAt })));
      const isEmpty = page.isListMissing && observed.length + job.itemsObserved === 0;
      if (isEmpty && !(await hasPosts(service, connection)))
        return { observed, cursor: null, incompleteReason: null, fault: null };
      cursor = page.nextCursor;
      if (page.interruption) return { observed, cursor, incompleteReason: null, fault: page.interruption };
      if (cursor === null) return { observed, cursor, incompleteReason: page.incompleteReason, fault: null };
      // The provider's positions form a circle.
      if (visited.has(cursor)) return { observed, cursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT", fault: null };
      visited.add(cursor);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { observed, cursor, incompleteReason: null, fault: error };
    }
  }
  return { observed, cursor, incompleteReason: "UPSTREAM_PAGE_LIMIT", fault: null };
}

/**
 * Finds stored posts that a complete scan of their window did not return. A listing can omit existing posts, so each is
 * read by ID before it is marked as deleted. A failed read leaves the rest unchanged.
 */
async function readUnseen(
  context: ReadContext,
  observed: readonly Observed[],
): Promise<{ found: Observed[]; deleted: string[] }> {
  const { job, connection, adapter, service, withMetrics } = context;
  const window = windowOf(job);
  const ids = await findUnseenPosts(service, {
    connection,
    ...window,
    since: job.coveredSince ?? job.createdAt,
    seen: observed.map(({ item }) => item.providerContentId),
    limit: MAX_UNSEEN,
  });
  const found: Observed[] = [];
  const deleted: string[] = [];
  for (let start = 0; start < ids.length; start += adapter.traits.readBatchSize) {
    const batch = ids.slice(start, start + adapter.traits.readBatchSize);
    const observedAt = await service.clock.now();
    try {
      // The listing covered the times of `unproven` and does not show them: they are deleted, too.
      const { items, unreadable } = await context.call((session) =>
        adapter.readContent(session, { providerContentIds: batch, withMetrics }),
      );
      const present = new Set([...items.map((item) => item.providerContentId), ...unreadable]);
      found.push(...items.map((item) => ({ item, observedAt })));
      deleted.push(...batch.filter((id) => !present.has(id)));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      service.logger.warn({ jobId: job.id, fault: error.kind }, "failed to read posts missing from a listing");
      break;
    }
  }
  return { found, deleted };
}

function windowOf(job: Job): { publishedAfter: Date; publishedBefore: Date; maxItems: number } {
  const { windowAfter, windowBefore, maxItems } = job;
  if (windowAfter === null || windowBefore === null || maxItems === null)
    throw new Error("The scan job has no window.");
  return { publishedAfter: windowAfter, publishedBefore: windowBefore, maxItems };
}
