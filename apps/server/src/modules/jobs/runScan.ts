import type { ScanIncompleteReason } from "@social-connect/contract";
import { countItems, nextScanAfterLimit, SYNC_STATUS_AFTER } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { retryAfter } from "./jobAttempt.ts";
import type { ReadResult } from "./recordRead.ts";
import type { ReadContext } from "./runRead.ts";
import { runRead } from "./runRead.ts";
import type { Observed } from "./store.ts";
import { findUnseenPosts } from "./store.ts";

/** A provider that pages on and on without a post ends a scan; 100 posts are 20 a page at the least generous one. */
const MAX_PAGES = 50;
/** Stored posts that a scan missed are asked for by id, at most so many a scan. */
const MAX_UNSEEN = 200;

/**
 * Reads a window of an account's posts, newest first, up to the job's maxItems. What was read is written once, at the end:
 * posts, job and connection in one transaction of three statements. Source: service description, part 4, requestRefresh.
 */
export async function runScan(service: Service, jobId: string): Promise<void> {
  await runRead(service, jobId, scan);
}

interface Listing {
  readonly observed: Observed[];
  /** Where to go on; null when there is nowhere. */
  readonly cursor: string | null;
  /** null: the window was read to its end. */
  readonly incompleteReason: ScanIncompleteReason | null;
  /** What interrupted it, if something did. */
  readonly error: ProviderError | null;
}

async function scan(context: ReadContext): Promise<ReadResult> {
  const { job } = context;
  const { observed, cursor, incompleteReason, error } = await list(context);
  const progress = { providerCursor: cursor, itemsObserved: job.itemsObserved + countItems(observed) };
  // A limit that is hit midway is no failure: what there is can be used, and the caller may continue when it likes.
  const hasProgress = job.itemsObserved + observed.length > 0;
  if (error !== null && !(error.kind === "rate_limited" && hasProgress)) {
    return { outcome: "interrupted", error, observed, job: progress };
  }
  const reason = error === null ? incompleteReason : "UPSTREAM_RATE_LIMITED";
  const unseen = reason === null ? await readUnseen(context, observed) : { found: [], deleted: [] };
  const now = await context.service.clock.now();
  const continueAt =
    job.background && error !== null ? (retryAfter(context.service, job, error, now, true)?.at ?? null) : null;
  return {
    outcome: "succeeded",
    observed: [...observed, ...unseen.found],
    deleted: unseen.deleted,
    job: { ...progress, completeForWindow: reason === null, incompleteReason: reason },
    connection: {
      syncStatus: reason === null ? SYNC_STATUS_AFTER.SCAN_COVERED : SYNC_STATUS_AFTER.SCAN_STOPPED_EARLY,
      lastSuccessfulSyncAt: now,
      nextRetryAt: null,
      // What nobody asked for is not continued by anybody either, unless the schedule does it once the limit has ended.
      ...(continueAt === null ? {} : { nextScanAt: nextScanAfterLimit(context.connection, continueAt) }),
    },
  };
}

async function list(context: ReadContext): Promise<Listing> {
  const { job, adapter, service, withMetrics } = context;
  const window = windowOf(job);
  const observed: Observed[] = [];
  let cursor = job.providerCursor;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const maxItems = window.maxItems - job.itemsObserved - countItems(observed);
    if (maxItems <= 0) return { observed, cursor, incompleteReason: "MAX_ITEMS_REACHED", error: null };
    const observedAt = await service.clock.now();
    const from = cursor;
    try {
      const page = await context.call((session) =>
        adapter.listContent(session, { ...window, cursor: from, maxItems, withMetrics }),
      );
      observed.push(...page.items.map((item) => ({ item, observedAt })));
      cursor = page.nextCursor;
      if (cursor === null) return { observed, cursor, incompleteReason: page.incompleteReason, error: null };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { observed, cursor, incompleteReason: null, error };
    }
  }
  return { observed, cursor, incompleteReason: "UPSTREAM_PAGE_LIMIT", error: null };
}

/**
 * Posts that were there before and that a scan of their whole window did not show. A listing can leave a post out that
 * still exists, so each is asked for by id before it is called deleted. A fault here leaves them as they are.
 */
async function readUnseen(
  context: ReadContext,
  observed: readonly Observed[],
): Promise<{ found: Observed[]; deleted: string[] }> {
  const { job, connection, adapter, service, withMetrics } = context;
  const window = windowOf(job);
  const ids = await findUnseenPosts(service, {
    connectionId: connection.id,
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
      const items = await context.call((session) =>
        adapter.readContent(session, { providerContentIds: batch, withMetrics }),
      );
      const present = new Set(items.map((item) => item.providerContentId));
      found.push(...items.map((item) => ({ item, observedAt })));
      deleted.push(...batch.filter((id) => !present.has(id)));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      service.logger.warn({ jobId: job.id, fault: error.kind }, "posts missing from a listing could not be asked for");
      break;
    }
  }
  return { found, deleted };
}

function windowOf(job: Job): { publishedAfter: Date; publishedBefore: Date; maxItems: number } {
  const { windowAfter, windowBefore, maxItems } = job;
  if (windowAfter === null || windowBefore === null || maxItems === null) throw new Error("a scan has no window");
  return { publishedAfter: windowAfter, publishedBefore: windowBefore, maxItems };
}
