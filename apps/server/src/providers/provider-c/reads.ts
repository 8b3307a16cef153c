import { isRecord } from "../coerce.ts";
import {
  type ContentObservation,
  type MetricReading,
  type ProviderAccount,
  ProviderError,
  type ProviderSession,
} from "../contract.ts";
import { readApi } from "../httpJson.ts";
import type { MetricsMode } from "../metrics.ts";
import { graphError, isInvalidCursor, isMissingObject, isTooMuchData, readFailure } from "./errors.ts";
import { toAccount, toObservation } from "./observations.ts";
import { accountWire, type MediaWire, mediaListWire, mediaWire } from "./wire.ts";

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
  const failure = readFailure(answer, isGranted(session));
  if (failure !== null) throw failure;
  const account = accountWire.parse(unwrapped(answer.body));
  const id = account.user_id ?? account.id;
  if (id === null) throw new ProviderError("unavailable", "the account response has no id");
  return toAccount(account, id);
}

/** Every capability needs the permission for the account and its posts; only insights need a further one. */
function isGranted({ capabilities }: ProviderSession): boolean {
  return capabilities.length > 0;
}

export interface MediaPage {
  readonly media: readonly MediaWire[];
  /** The provider ends a list by omitting `next`, even if it still sends a cursor. */
  readonly isLast: boolean;
  /** null on the last page, and when the provider names no next position. */
  readonly after: string | null;
}

/** A page of the account's own posts, newest first, or why this page cannot be had. */
export async function readMediaPage(
  session: ProviderSession,
  metrics: MetricsMode,
  limit: number,
  after: string | null,
): Promise<MediaPage | "too-large" | "cursor-rejected"> {
  const answer = await readApi(session, "me/media", {
    fields: mediaFields(metrics),
    limit: String(limit),
    after: after ?? undefined,
  });
  if (isTooMuchData(answer)) return "too-large";
  const failure = readFailure(answer, isGranted(session));
  if (after !== null && isInvalidCursor(answer)) return "cursor-rejected";
  if (failure !== null) throw failure;
  if (!isRecord(answer.body) || !Array.isArray(answer.body.data)) {
    throw new ProviderError("unavailable", "the post list response is not a list");
  }
  const { data, paging } = mediaListWire.parse(answer.body);
  const isLast = paging.next === null;
  const cursor = paging.cursors.after ?? URL.parse(paging.next ?? "")?.searchParams.get("after") ?? null;
  return { media: data, isLast, after: isLast ? null : cursor };
}

export function isMediaId(id: string): boolean {
  return /^\d+$/.test(id);
}

/** One post by id; null when the provider says that it is deleted, or not accessible. */
export async function readMedia(
  session: ProviderSession,
  id: string,
  metricsOf: (media: MediaWire) => Promise<readonly MetricReading[]>,
  mode: MetricsMode,
): Promise<ContentObservation | null> {
  if (!isMediaId(id)) return null;
  const answer = await readApi(session, id, { fields: mediaFields(mode) });
  if (isMissingObject(graphError(answer.body))) return null;
  const failure = readFailure(answer, isGranted(session));
  if (failure !== null) throw failure;
  const media = mediaWire.parse(unwrapped(answer.body));
  if (media.id !== id)
    throw new ProviderError("unavailable", "the response is about another post than the requested one");
  return toObservation(media, id, await metricsOf(media));
}

/** An object that some responses contain flat and some as the only element of `data`. */
function unwrapped(body: unknown): unknown {
  const data = isRecord(body) ? body.data : undefined;
  return Array.isArray(data) ? data[0] : isRecord(data) ? data : body;
}
