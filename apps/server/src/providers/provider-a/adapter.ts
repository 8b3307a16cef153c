import type {
  LookupOutcome,
  LookupRequest,
  ProviderAccount,
  ProviderAdapter,
  ProviderSession,
  ReadRequest,
} from "../contract.ts";
import { ProviderError } from "../contract.ts";
import { metricsMode } from "../metrics.ts";
import { listContent } from "./listing.ts";
import { authorizationUrl, exchangeCode, refreshTokens, revoke } from "./oauth.ts";
import { toAccount, toObservation } from "./observations.ts";
import { publicApi } from "./publicApi.ts";
import { readChannel, readVideos } from "./reads.ts";
import { traits } from "./traits.ts";

/** Implements Google OAuth 2.0 and the YouTube Data API v3. */
export const providerA: ProviderAdapter = {
  provider: "PROVIDER_A",
  traits,
  publicApi,
  authorizationUrl,
  exchangeCode,
  refreshTokens,
  revoke,
  readAccount,
  listContent,
  readContent,
  lookupContent,
};

async function readAccount(session: ProviderSession): Promise<ProviderAccount> {
  const channel = await readChannel(session, session.capabilities.includes("PROFILE") ? "id,snippet" : "id");
  if (channel === null || channel.id === null) throw new ProviderError("rejected", "the user has no channel");
  return toAccount(channel, channel.id);
}

async function readContent(session: ProviderSession, request: ReadRequest) {
  const metrics = metricsMode(session, request.withMetrics);
  const videos = await readVideos(session, request.providerContentIds, metrics);
  return [...videos].map(([id, video]) => toObservation(video, id, metrics));
}

async function lookupContent(session: ProviderSession, request: LookupRequest): Promise<LookupOutcome> {
  if (request.target.kind !== "id") return { outcome: "not-found" };
  const id = request.target.value;
  const metrics = metricsMode(session, request.withMetrics);
  const video = (await readVideos(session, [id], metrics)).get(id);
  if (video === undefined) return { outcome: "not-found" };
  if (video.snippet.channelId === null)
    throw new ProviderError("unavailable", "the response does not name the video's channel");
  const owner = session.providerAccountId ?? (await readChannel(session, "id"))?.id ?? null;
  if (owner === null || video.snippet.channelId !== owner) return { outcome: "not-owned" };
  return { outcome: "found", item: toObservation(video, id, metrics) };
}
