import { isRecord } from "../coerce.ts";
import {
  type ContentObservation,
  type MetricReading,
  type ProviderAccount,
  ProviderError,
  type ProviderSession,
} from "../contract.ts";
import { type HttpRequest, readApi } from "../httpJson.ts";
import type { MetricsMode } from "../metrics.ts";
import { type Fields, fieldsWithout, readFields } from "../optionalFields.ts";
import { fieldRefusal, graphError, isInvalidCursor, isMissingObject, isTooMuchData, readFailure } from "./errors.ts";
import { toAccount, toObservation } from "./observations.ts";
import {
  ACCOUNT,
  accountWire,
  MEDIA,
  MEDIA_WITH_COUNTS,
  type MediaWire,
  mediaListWire,
  mediaWire,
  PROFILE,
} from "./wire.ts";

function mediaFields(metrics: MetricsMode): Fields {
  return metrics === "ask" ? MEDIA_WITH_COUNTS : MEDIA;
}

/** One call with the fields that the provider accepts. */
function readNode(session: ProviderSession, path: string, fields: Fields, query: HttpRequest["query"] = {}) {
  return readFields(fields, (names) => readApi(session, path, { fields: names.join(","), ...query }), fieldRefusal);
}

export async function readAccount(session: ProviderSession): Promise<ProviderAccount> {
  const { answer } = await readNode(session, "me", session.capabilities.includes("PROFILE") ? PROFILE : ACCOUNT);
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
  /** Fields that the provider refuses. */
  readonly refused: readonly string[];
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
  without: readonly string[] = [],
): Promise<MediaPage | "too-large" | "cursor-rejected" | "missing"> {
  const fields = fieldsWithout(mediaFields(metrics), without);
  const query = { limit: String(limit), after: after ?? undefined };
  const { answer, refused } = await readNode(session, "me/media", fields, query);
  if (isTooMuchData(answer)) return "too-large";
  const failure = readFailure(answer, isGranted(session));
  if (after !== null && isInvalidCursor(answer)) return "cursor-rejected";
  if (after !== null && isMissingObject(graphError(answer.body))) return "missing";
  if (failure !== null) throw failure;
  if (!isRecord(answer.body) || !Array.isArray(answer.body.data)) {
    throw new ProviderError("unavailable", "the post list response is not a list");
  }
  const { data, paging } = mediaListWire.parse(answer.body);
  const isLast = paging.next === null;
  const cursor = paging.cursors.after ?? URL.parse(paging.next ?? "")?.searchParams.get("after") ?? null;
  const allRefused = [...without, ...refused];
  const media = data.map((one) => ({ ...one, refused: allRefused }));
  return { media, refused: allRefused, isLast, after: isLast ? null : cursor };
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
  const { answer, refused } = await readNode(session, id, mediaFields(mode));
  if (isMissingObject(graphError(answer.body))) return null;
  const failure = readFailure(answer, isGranted(session));
  if (failure !== null) throw failure;
  const media = { ...mediaWire.parse(unwrapped(answer.body)), refused };
  if (media.id !== id)
    throw new ProviderError("unavailable", "the response is about another post than the requested one");
  return toObservation(media, id, await metricsOf(media));
}

/** An object that some responses contain flat and some as the only element of `data`. */
function unwrapped(body: unknown): unknown {
  const data = isRecord(body) ? body.data : undefined;
  return Array.isArray(data) ? data[0] : isRecord(data) ? data : body;
}
