import {
  type LookupOutcome,
  type LookupRequest,
  type ProviderAdapter,
  ProviderError,
  type ProviderSession,
  type ReadPage,
  type ReadRequest,
} from "../contract.ts";
import { type MetricsMode, metricsMode } from "../metrics.ts";
import { readFittingPage } from "../paging.ts";
import { mayConcernBatch, outcomeOf, readEach } from "../readEach.ts";
import { verifySignedUser } from "./deauthorization.ts";
import { usedShare } from "./errors.ts";
import { metricsWithoutInsights, readMetrics } from "./insights.ts";
import { CONCURRENT_INSIGHTS, listContent } from "./listing.ts";
import * as oauth from "./oauth.ts";
import { toObservation } from "./observations.ts";
import { publicApi, traits } from "./publicApi.ts";
import { isMediaId, type MediaPage, readAccount, readMedia, readMediaPage } from "./reads.ts";
import type { MediaWire } from "./wire.ts";

/** Implements the Instagram API with Instagram Login. */
export const providerC: ProviderAdapter = {
  provider: "PROVIDER_C",
  traits,
  publicApi,
  ...oauth,
  readUsage: usedShare,
  verifyDeauthorization: verifySignedUser,
  verifyDataDeletion: verifySignedUser,
  readAccount,
  listContent,
  readContent,
  lookupContent,
};

const SEARCH_PAGE_SIZE = 100;
/** Together the 10,000 posts that the provider lists at most. */
const SEARCH_PAGES = 100;

async function readContent(session: ProviderSession, request: ReadRequest): Promise<ReadPage> {
  const mode = metricsMode(session, request.withMetrics);
  const ids = request.providerContentIds;
  const refusals: ProviderError[] = [];
  const note = (error: ProviderError) => refusals.push(error);
  // Failing numbers of several posts can be an outage.
  const metricsOf = (media: MediaWire, id: string) =>
    ids.length === 1 ? metricsIfReadable(session, media, id, mode, note) : readMetrics(session, media, id, mode);
  const {
    read: found,
    failed,
    fault,
  } = await readEach(ids, CONCURRENT_INSIGHTS, (id) =>
    readMedia(session, id, (media) => metricsOf(media, id), mode).catch((error) => {
      if (error instanceof ProviderError) note(error);
      throw error;
    }),
  );
  if (fault !== null) throw fault;
  const [refusal] = refusals;
  const unproven = found.flatMap(({ item, result }) => (result === null && isMediaId(item) ? [item] : []));
  return {
    items: found.flatMap(({ result }) => result ?? []),
    unreadable: failed,
    unproven,
    ...(ids.length === 1 && refusal && { refusal }),
  };
}

/**
 * No call accepts a short code, so the account's own posts are searched. Another account's post is therefore
 * "not-found", too.
 */
interface FittingPage {
  readonly page: MediaPage | "cursor-rejected" | "missing";
  readonly size: number;
}

async function lookupContent(session: ProviderSession, request: LookupRequest): Promise<LookupOutcome> {
  const { kind, value } = request.target;
  const mode = metricsMode(session, request.withMetrics);
  if (kind === "id") {
    return outcomeOf(await readContent(session, { ...request, providerContentIds: [value] }));
  }
  let after: string | null = null;
  let size = SEARCH_PAGE_SIZE;
  for (let pages = 0; pages < SEARCH_PAGES; pages += 1) {
    const from: string | null = after;
    const fitting: FittingPage = await readFittingPage(size, (limit) => readMediaPage(session, mode, limit, from));
    const { page } = fitting;
    if (typeof page === "string") throw new ProviderError("unavailable", "the provider rejected its own cursor");
    size = fitting.size;
    const media = page.media.find((candidate) => shortcodeOf(candidate) === value);
    if (media !== undefined && media.id !== null) {
      const metrics = await metricsIfReadable(session, media, media.id, mode);
      return { outcome: "found", item: toObservation(media, media.id, metrics) };
    }
    if (page.isLast || page.after === null || page.after === after) return { outcome: "not-found" };
    after = page.after;
  }
  throw new ProviderError(
    "rejected",
    `the post is not among the newest ${SEARCH_PAGES * SEARCH_PAGE_SIZE} and there are more`,
  );
}

/** The post itself could be read, so the provider works: its numbers are missing, and the post is not. */
async function metricsIfReadable(
  session: ProviderSession,
  media: MediaWire,
  id: string,
  mode: MetricsMode,
  note: (refusal: ProviderError) => unknown = () => undefined,
) {
  try {
    return await readMetrics(session, media, id, mode);
  } catch (error) {
    if (!(error instanceof ProviderError) || !mayConcernBatch(error)) throw error;
    note(error);
    return metricsWithoutInsights(media);
  }
}

function shortcodeOf(media: MediaWire): string | null {
  return (
    media.shortcode ??
    /^\/(?:[^/]+\/)?(?:p|reel|reels|tv)\/([\w-]+)/.exec(URL.parse(media.permalink ?? "")?.pathname ?? "")?.[1] ??
    null
  );
}
