import { isRecord } from "../coerce.ts";
import type { ContentObservation, ProviderAccount, ProviderSession } from "../contract.ts";
import { ProviderError } from "../contract.ts";
import { readApi } from "../httpJson.ts";
import type { MetricsMode } from "../metrics.ts";
import { graphError, isMissingObject, readFailure } from "./errors.ts";
import { readMetrics } from "./insights.ts";
import { toAccount, toObservation } from "./observations.ts";
import { accountWire, mediaListWire, mediaWire } from "./wire.ts";

const ACCOUNT_FIELDS = "id,user_id";
const PROFILE_FIELDS = "username,name,biography,profile_picture_url";
const MEDIA_FIELDS = "id,caption,media_type,permalink,shortcode,thumbnail_url,timestamp";
const COUNT_FIELDS = "like_count,comments_count";

export function mediaFields(metrics: MetricsMode): string {
  return metrics === "ask" ? `${MEDIA_FIELDS},${COUNT_FIELDS}` : MEDIA_FIELDS;
}

export async function readAccount(session: ProviderSession): Promise<ProviderAccount> {
  const fields = session.capabilities.includes("PROFILE") ? `${ACCOUNT_FIELDS},${PROFILE_FIELDS}` : ACCOUNT_FIELDS;
  const answer = await readApi(session, "me", { fields });
  const failure = readFailure(answer);
  if (failure !== null) throw failure;
  const account = accountWire.parse(unwrapped(answer.body));
  const id = account.user_id ?? account.id;
  if (id === null) throw new ProviderError("unavailable", "the account response has no id");
  return toAccount(account, id);
}

/** A page of the account's own posts, newest first. `after` is null at the end. */
export async function readMediaPage(
  session: ProviderSession,
  metrics: MetricsMode,
  limit: number,
  after: string | null,
) {
  const answer = await readApi(session, "me/media", {
    fields: mediaFields(metrics),
    limit: String(limit),
    after: after ?? undefined,
  });
  const failure = readFailure(answer);
  if (failure !== null) throw failure;
  if (!isRecord(answer.body) || !Array.isArray(answer.body.data)) {
    throw new ProviderError("unavailable", "the post list response is not a list");
  }
  const { data, paging } = mediaListWire.parse(answer.body);
  // The provider ends a list by omitting `next`, even if it still sends a cursor.
  const end = paging.next === null;
  return {
    media: data,
    after: end ? null : (paging.cursors.after ?? URL.parse(paging.next ?? "")?.searchParams.get("after") ?? null),
  };
}

/** One post by id; null when it is deleted or not the account's. */
export async function readMedia(
  session: ProviderSession,
  id: string,
  metrics: MetricsMode,
): Promise<ContentObservation | null> {
  if (!/^\d+$/.test(id)) return null;
  const answer = await readApi(session, id, { fields: mediaFields(metrics) });
  if (isMissingObject(graphError(answer.body))) return null;
  const failure = readFailure(answer);
  if (failure !== null) throw failure;
  const media = mediaWire.parse(unwrapped(answer.body));
  if (media.id !== id)
    throw new ProviderError("unavailable", "the response is about another post than the requested one");
  return toObservation(media, id, await readMetrics(session, media, id, metrics));
}

/** An object that some responses contain flat and some as the only element of `data`. */
function unwrapped(body: unknown): unknown {
  const data = isRecord(body) ? body.data : undefined;
  return Array.isArray(data) ? data[0] : isRecord(data) ? data : body;
}
