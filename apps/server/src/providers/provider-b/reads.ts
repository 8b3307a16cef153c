import { type ProviderAccount, ProviderError, type ProviderSession, type ReadPage } from "../contract.ts";
import { callProvider, type HttpAnswer, readApi } from "../httpJson.ts";
import type { MetricsMode } from "../metrics.ts";
import { readBatch } from "../readEach.ts";
import { requestedScopes } from "../scopes.ts";
import { readFailure } from "./errors.ts";
import { toAccount, toObservation } from "./observations.ts";
import { METRIC_FIELDS, userInfoWire, VIDEO_FIELDS, videosWire } from "./wire.ts";

const BASIC_FIELDS = "open_id,display_name,avatar_url";
const PROFILE_FIELDS = "username,bio_description,profile_deep_link";

export async function readAccount(session: ProviderSession): Promise<ProviderAccount> {
  const { capabilities, providerAccountId } = session;
  const answer = await readApi(session, "user/info/", { fields: accountFields(session) });
  const failure = readFailure(answer, capabilities.includes("PROFILE"));
  // The token response names the account; without the profile scope, nothing else is available.
  const isRefusedScope = failure?.kind === "scope_missing" && providerAccountId !== null;
  if (failure !== null && !isRefusedScope) throw failure;
  const { user } = userInfoWire.parse(isRefusedScope ? {} : answer.body).data;
  const id = isRefusedScope ? providerAccountId : user.open_id;
  // Always present when requested, so a response without it is not about the account.
  if (id === null) throw new ProviderError("unavailable", "the account response has no open_id");
  return toAccount(user, id);
}

/** One field beyond the granted scopes makes the provider refuse the whole call, so the fields follow the grant. */
function accountFields({ registration, capabilities }: ProviderSession): string {
  if (!capabilities.includes("PROFILE")) return "open_id";
  const scopes = requestedScopes(registration.scopes, capabilities);
  return scopes.includes("user.info.profile") ? `${BASIC_FIELDS},${PROFILE_FIELDS}` : BASIC_FIELDS;
}

/** Posts by id, at most 20. The provider omits a deleted post like a private, foreign or unknown one. */
export async function readVideos(
  session: ProviderSession,
  ids: readonly string[],
  metrics: MetricsMode,
): Promise<ReadPage> {
  const asked = ids.filter((id) => /^\d+$/.test(id));
  const { found, unreadable } = await readBatch(asked, async (part) => {
    const answer = await postVideos(session, "query", metrics, { filters: { video_ids: part } });
    const { videos } = videosWire.parse(answer.body).data;
    return new Map(
      videos.flatMap((video) =>
        video.id !== null && part.includes(video.id) ? [[video.id, toObservation(video, video.id, metrics)]] : [],
      ),
    );
  });
  const unproven = asked.filter((id) => !found.has(id) && !unreadable.includes(id));
  return { items: [...found.values()], unreadable, unproven };
}

/** `fields` is always in the query, even where the call is a POST. */
export async function postVideos(
  session: ProviderSession,
  operation: "list" | "query",
  metrics: MetricsMode,
  json: object,
): Promise<HttpAnswer> {
  const { registration, accessToken, capabilities } = session;
  const address = `${registration.addresses.api}/video/${operation}/`;
  const fields = metrics === "ask" ? `${VIDEO_FIELDS},${METRIC_FIELDS}` : VIDEO_FIELDS;
  const answer = await callProvider(registration, { method: "POST", address, query: { fields }, json, accessToken });
  // Every other capability needs the scope for posts.
  const failure = readFailure(
    answer,
    capabilities.some((capability) => capability !== "PROFILE"),
  );
  if (failure !== null) throw failure;
  return answer;
}
