import type { LookupOutcome, LookupRequest, ProviderAdapter, ProviderSession, ReadRequest } from "../contract.ts";
import { metricsMode } from "../metrics.ts";
import { outcomeOf } from "../readEach.ts";
import { listContent } from "./listing.ts";
import * as oauth from "./oauth.ts";
import { publicApi, traits } from "./publicApi.ts";
import { readAccount, readVideos } from "./reads.ts";
import { verifyWebhook } from "./webhook.ts";

/** Implements TikTok Login Kit and the Display API v2. */
export const providerB: ProviderAdapter = {
  provider: "PROVIDER_B",
  traits,
  publicApi,
  ...oauth,
  readAccount,
  listContent,
  readContent,
  lookupContent,
  verifyWebhook,
};

async function readContent(session: ProviderSession, request: ReadRequest) {
  return readVideos(session, request.providerContentIds, metricsMode(session, request.withMetrics));
}

/** The provider omits foreign posts like unknown ones, so "not-owned" cannot be detected. */
async function lookupContent(session: ProviderSession, request: LookupRequest): Promise<LookupOutcome> {
  const { kind, value } = request.target;
  if (kind !== "id") return { outcome: "not-found" };
  return outcomeOf(await readContent(session, { ...request, providerContentIds: [value] }));
}
