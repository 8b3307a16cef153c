import type { ScanIncompleteReason } from "@social-connect/contract";
import { countItems, endedCapabilities, isDeepScanDue, PROVIDER_TRAITS, scanResult } from "@social-connect/domain";
import { listPage } from "../../providers/listing.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { type JobRun, NOTHING_YET, type Observed } from "../../state/jobRun.ts";
import { type CallFailure, failure } from "../../state/providerCall.ts";
import type { Connection, Job, ListingCursor } from "../../state/state.ts";
import { accountOf, recordPostRead, visibilityFor } from "../../upstream/grants.ts";
import type { World } from "../../world/world.ts";
import { providerGrantOf } from "../grants/grants.ts";
import { metricsMode, type NextCall, type ReadContext, type ReadResult, readPost } from "./readOne.ts";
import { unseenPosts } from "./storeContent.ts";

/** Ends a scan of a provider that returns endless pages. */
const MAX_PAGES = 50;
/** Maximum number of stored posts that a scan reads by id because the listing did not contain them. */
const MAX_UNSEEN = 200;
/** The provider's limit within a page ends after this time. */
const LIMIT_SECONDS = 60;

/** A scan of some providers reads the account first. */
export function firstStepOfScan({ provider, listingCursor }: Job): JobRun["step"] {
  return PROVIDERS[provider].listing.readsAccountFirst && listingCursor === null ? "profile" : "list";
}

export function continueScan(read: ReadContext): ReadResult | NextCall {
  if (read.run.step === "profile") return { ...NOTHING_YET, step: "list" };
  return read.run.step === "read" ? continueUnseen(read) : continueListing(read);
}

function continueListing({ world, job, run, connection, grant }: ReadContext): ReadResult | NextCall {
  const providerGrant = providerGrantOf(world, grant);
  const account = accountOf(providerGrant);
  const posts = world.posts.of(account, world.state.providers);
  const window = windowOf(job);
  const page = listPage(
    account,
    posts,
    visibilityFor(providerGrant, posts),
    {
      ...window,
      cursor: job.listingCursor,
      maxItems: window.maxItems - job.itemsObserved - countItems(run.observed),
      mode: withoutNumbers(connection) ? "none" : metricsMode(world, connection, providerGrant),
      isDeep: job.background && isDeepScanDue(connection, world.now()),
      callNumber: providerGrant.contentCalls,
    },
    world.now(),
  );
  for (const item of page.items) recordPostRead(providerGrant, posts, item.providerContentId);
  const observed: Observed[] = [...run.observed, ...page.items.map((item) => ({ item, observedAt: world.now() }))];
  job.listingCursor = page.nextCursor;
  if (page.isLimited) {
    const limit = failure("rate_limited", { retryAfterSeconds: LIMIT_SECONDS });
    return scanWithFailure(job, { ...run, observed }, limit);
  }
  if (page.isLost) return scanWithFailure(job, { ...run, observed }, failure("unavailable"));
  const pages = run.pages + 1;
  if (page.nextCursor === null) {
    if (page.incompleteReason !== null) return ended(job, observed, page.incompleteReason, null);
    return readUnseen(world, job, { ...run, pages, observed });
  }
  if (job.itemsObserved + countItems(observed) >= window.maxItems) {
    return ended(job, observed, "MAX_ITEMS_REACHED", page.nextCursor);
  }
  if (pages >= MAX_PAGES) return ended(job, observed, "UPSTREAM_PAGE_LIMIT", page.nextCursor);
  return { step: "list", pages, observed, unseen: [], deleted: [] };
}

/**
 * Reads stored posts that a complete scan of their window did not return. A listing can omit an existing post, so each is
 * read by id before it is marked as deleted.
 */
function readUnseen(world: World, job: Job, run: NextCall): ReadResult | NextCall {
  const unseen = unseenPosts(world, job.connectionId, {
    ...windowOf(job),
    since: job.coveredSince ?? job.createdAt,
    seen: run.observed.map(({ item }) => item.providerContentId),
    limit: MAX_UNSEEN,
  });
  if (unseen.length === 0) return ended(job, run.observed, null, null);
  return { ...run, step: "read", unseen };
}

function continueUnseen({ world, job, run, connection, grant }: ReadContext): ReadResult | NextCall {
  const batch = run.unseen.slice(0, PROVIDER_TRAITS[job.provider].readBatchSize);
  const unseen = run.unseen.slice(batch.length);
  const observed = [...run.observed];
  const deleted = [...run.deleted];
  for (const id of batch) {
    const item = readPost(world, connection, grant, id);
    // The listing covered the times of hidden posts and did not show them.
    if (item === null || item === "hidden") deleted.push(id);
    else if (item !== "refused") observed.push({ item, observedAt: world.now() });
  }
  if (unseen.length > 0) return { step: "read", pages: run.pages, observed, unseen, deleted };
  return { ...ended(job, run.observed, null, null), observed, deleted };
}

/** A failed call ends the listing, or the reads by id. */
export function scanWithFailure(job: Job, { step, observed, deleted }: JobRun, fault: CallFailure): ReadResult {
  // Posts that could not be read by id stay unchanged.
  if (step === "read") return { ...ended(job, observed, null, null), deleted };
  const result = scanResult(job, { observed, incompleteReason: null, fault });
  return { ...result, job: { ...result.job, listingCursor: job.listingCursor } };
}

/** A successful scan; `incompleteReason` is null when it covered its window. */
function ended(
  job: Job,
  observed: readonly Observed[],
  incompleteReason: ScanIncompleteReason | null,
  listingCursor: ListingCursor | null,
): ReadResult {
  const result = scanResult(job, { observed, incompleteReason, fault: null });
  return { ...result, job: { ...result.job, listingCursor } };
}

/** Once the provider refuses the numbers of an account, only a read of one post asks for them. */
function withoutNumbers({ refusals }: Connection): boolean {
  return endedCapabilities(refusals).includes("CONTENT_METRICS");
}

function windowOf(job: Job) {
  if (job.window === null) throw new Error("a scan has no window");
  return job.window;
}
