import { mapLimited } from "../concurrency.ts";
import type { LookupOutcome, LookupRequest, ProviderAdapter, ProviderSession, ReadRequest } from "../contract.ts";
import { ProviderError } from "../contract.ts";
import { metricsMode } from "../metrics.ts";
import { verifyDeauthorization } from "./deauthorization.ts";
import { usedShare } from "./errors.ts";
import { readMetrics } from "./insights.ts";
import { CONCURRENT_INSIGHTS, listContent } from "./listing.ts";
import { authorizationUrl, exchangeCode, refreshTokens } from "./oauth.ts";
import { toObservation } from "./observations.ts";
import { publicApi } from "./publicApi.ts";
import { readAccount, readMedia, readMediaPage } from "./reads.ts";
import { traits } from "./traits.ts";
import type { MediaWire } from "./wire.ts";

/** Implements the Instagram API with Instagram Login. */
export const providerC: ProviderAdapter = {
  provider: "PROVIDER_C",
  traits,
  publicApi,
  authorizationUrl,
  exchangeCode,
  refreshTokens,
  readUsage: usedShare,
  verifyDeauthorization,
  readAccount,
  listContent,
  readContent,
  lookupContent,
};

const SEARCH_PAGE_SIZE = 100;
/** Together the 10,000 posts that the provider lists at most. */
const SEARCH_PAGES = 100;

async function readContent(session: ProviderSession, request: ReadRequest) {
  const mode = metricsMode(session, request.withMetrics);
  const found = await mapLimited(request.providerContentIds, CONCURRENT_INSIGHTS, (id) => readMedia(session, id, mode));
  return found.filter((item) => item !== null);
}

/**
 * No call accepts a short code, so the account's own posts are searched. Another account's post is therefore
 * "not-found", too.
 */
async function lookupContent(session: ProviderSession, request: LookupRequest): Promise<LookupOutcome> {
  const { kind, value } = request.target;
  const mode = metricsMode(session, request.withMetrics);
  if (kind === "id") {
    const item = await readMedia(session, value, mode);
    return item === null ? { outcome: "not-found" } : { outcome: "found", item };
  }
  let after: string | null = null;
  for (let pages = 0; pages < SEARCH_PAGES; pages += 1) {
    const page: Awaited<ReturnType<typeof readMediaPage>> = await readMediaPage(session, mode, SEARCH_PAGE_SIZE, after);
    const media = page.media.find((candidate) => shortcodeOf(candidate) === value);
    if (media !== undefined && media.id !== null) {
      return {
        outcome: "found",
        item: toObservation(media, media.id, await readMetrics(session, media, media.id, mode)),
      };
    }
    if (page.after === null || page.after === after) return { outcome: "not-found" };
    after = page.after;
  }
  throw new ProviderError(
    "rejected",
    `the post is not among the newest ${SEARCH_PAGES * SEARCH_PAGE_SIZE} and there are more`,
  );
}

function shortcodeOf(media: MediaWire): string | null {
  return (
    media.shortcode ??
    /^\/(?:[^/]+\/)?(?:p|reel|reels|tv)\/([\w-]+)/.exec(URL.parse(media.permalink ?? "")?.pathname ?? "")?.[1] ??
    null
  );
}
