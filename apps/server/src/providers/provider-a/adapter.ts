import {
  type LookupOutcome,
  type LookupRequest,
  type ProviderAccount,
  type ProviderAdapter,
  ProviderError,
  type ProviderSession,
  type ReadPage,
  type ReadRequest,
} from "../contract.ts";
import { metricsMode } from "../metrics.ts";
import { listContent } from "./listing.ts";
import * as oauth from "./oauth.ts";
import { toAccount, toObservation } from "./observations.ts";
import { publicApi, traits } from "./publicApi.ts";
import { readChannel, readVideos } from "./reads.ts";
import { CHANNEL_ID, CHANNEL_PROFILE } from "./wire.ts";

/** Implements Google OAuth 2.0 and the YouTube Data API v3. */
export const providerA: ProviderAdapter = {
  provider: "PROVIDER_A",
  traits,
  publicApi,
  ...oauth,
  readAccount,
  listContent,
  readContent,
  lookupContent,
};

async function readAccount(session: ProviderSession): Promise<ProviderAccount> {
  const channel = await readChannel(session, session.capabilities.includes("PROFILE") ? CHANNEL_PROFILE : CHANNEL_ID);
  if (channel === null || channel.id === null) throw new ProviderError("account_unreadable", "the user has no channel");
  return toAccount(channel, channel.id);
}

async function readContent(session: ProviderSession, request: ReadRequest): Promise<ReadPage> {
  const metrics = metricsMode(session, request.withMetrics);
  const { found, unreadable, refusal } = await readVideos(session, request.providerContentIds, metrics);
  // The provider shows owners their private videos too, so that a missing one of the account is deleted.
  return {
    items: [...found].map(([id, video]) => toObservation(video, id, metrics)),
    unreadable,
    ...(refusal && { refusal }),
  };
}

async function lookupContent(session: ProviderSession, request: LookupRequest): Promise<LookupOutcome> {
  if (request.target.kind !== "id") return { outcome: "not-found" };
  const id = request.target.value;
  const metrics = metricsMode(session, request.withMetrics);
  const { found, unreadable, refusal } = await readVideos(session, [id], metrics);
  const video = found.get(id);
  if (video === undefined) {
    return unreadable.includes(id) ? { outcome: "refused", ...(refusal && { refusal }) } : { outcome: "not-found" };
  }
  if (video.snippet.channelId === null)
    throw new ProviderError("unavailable", "the response does not name the video's channel");
  const owner = session.providerAccountId ?? (await readChannel(session, CHANNEL_ID))?.id ?? null;
  if (owner === null || video.snippet.channelId !== owner) return { outcome: "not-owned" };
  return { outcome: "found", item: toObservation(video, id, metrics) };
}
