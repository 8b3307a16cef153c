import { type ProviderAccount, ProviderError, type ProviderSession, type ReadPage } from "../contract.ts";
import { callProvider, readApi } from "../httpJson.ts";
import type { MetricsMode } from "../metrics.ts";
import { type FieldRead, type Fields, fieldsWithout, readFields } from "../optionalFields.ts";
import { readBatch } from "../readEach.ts";
import { requestedScopes } from "../scopes.ts";
import { fieldRefusal, readFailure, scopedFieldRefusal } from "./errors.ts";
import { toAccount, toObservation } from "./observations.ts";
import { ACCOUNT_ID, BASIC_PROFILE, PROFILE, userInfoWire, VIDEO, VIDEO_WITH_METRICS, videosWire } from "./wire.ts";

export async function readAccount(session: ProviderSession): Promise<ProviderAccount> {
  const { capabilities, providerAccountId } = session;
  const ask = (fields: readonly string[]) => readApi(session, "user/info/", { fields: fields.join(",") });
  const { answer } = await readFields(accountFields(session), ask, scopedFieldRefusal);
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
function accountFields({ registration, capabilities }: ProviderSession): Fields {
  if (!capabilities.includes("PROFILE")) return ACCOUNT_ID;
  const scopes = requestedScopes(registration.scopes, capabilities);
  return scopes.includes("user.info.profile") ? PROFILE : BASIC_PROFILE;
}

/** Posts by id, at most 20. The provider omits a deleted post like a private, foreign or unknown one. */
export async function readVideos(
  session: ProviderSession,
  ids: readonly string[],
  metrics: MetricsMode,
): Promise<ReadPage> {
  const asked = ids.filter((id) => /^\d+$/.test(id));
  const { found, unreadable, refusal } = await readBatch(asked, async (part) => {
    const { answer } = await postVideos(session, "query", metrics, { filters: { video_ids: part } });
    const { videos } = videosWire.parse(answer.body).data;
    return new Map(
      videos.flatMap((video) =>
        video.id !== null && part.includes(video.id) ? [[video.id, toObservation(video, video.id, metrics)]] : [],
      ),
    );
  });
  const unproven = asked.filter((id) => !found.has(id) && !unreadable.includes(id));
  return { items: [...found.values()], unreadable, unproven, ...(refusal && { refusal }) };
}

/** `fields` is always in the query, even where the call is a POST. */
export async function postVideos(
  session: ProviderSession,
  operation: "list" | "query",
  metrics: MetricsMode,
  json: object,
  without: readonly string[] = [],
): Promise<FieldRead> {
  const { registration, accessToken, capabilities } = session;
  const address = `${registration.addresses.api}/video/${operation}/`;
  const ask = (fields: readonly string[]) =>
    callProvider(registration, { method: "POST", address, query: { fields: fields.join(",") }, json, accessToken });
  const fields = fieldsWithout(metrics === "ask" ? VIDEO_WITH_METRICS : VIDEO, without);
  const read = await readFields(fields, ask, fieldRefusal);
  // Every other capability needs the scope for posts.
  const failure = readFailure(
    read.answer,
    capabilities.some((capability) => capability !== "PROFILE"),
  );
  if (failure !== null) throw failure;
  return read;
}
