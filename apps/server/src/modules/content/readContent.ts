import type { PageIncompleteReason } from "@social-connect/contract";
import type { ContentWindowInput, ScanRecord, SubjectScope } from "@social-connect/domain";
import { completeness, NEEDED_CAPABILITIES, oldestServedObservation, servedCapabilities } from "@social-connect/domain";
import { openCursor, sealCursor } from "../../platform/cursor.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Reader } from "../applications/readForKey.ts";
import { dateOf } from "../applications/readForKey.ts";
import { enforceContentAccess, loadConnection } from "../connections/accessConnection.ts";
import type { Service } from "../service.ts";
import type { ContentItemShown } from "./contentItem.ts";
import { showContentItems } from "./contentItem.ts";
import type { PostParts } from "./postColumns.ts";
import { ALL_PARTS } from "./postColumns.ts";
import { readPosts } from "./postRows.ts";
import type { ContentPageRow, ContentPosition, ScanJson } from "./store.ts";
import { findContentPage } from "./store.ts";
import type { PostForm, WrittenPosts } from "./writtenPosts.ts";
import { writePosts } from "./writtenPosts.ts";

/** What of each post is requested. */
export interface RequestedPosts {
  readonly parts: PostParts;
  /** To write the posts as JSON in this form; null for objects. */
  readonly form: PostForm | null;
}

export interface ContentPage {
  /** Empty if the posts are in `json`. */
  readonly items: readonly ContentItemShown[];
  readonly pageInfo: {
    readonly endCursor: string | null;
    readonly hasNextPage: boolean;
    readonly completeForWindow: boolean;
    readonly incompleteReason: PageIncompleteReason | null;
  };
  readonly lastSuccessfulSyncAt: Date | null;
  /** The items in the requested form, as a JSON array; null if they are objects. */
  readonly json: string | null;
}

/**
 * Returns stored posts published in a window, newest first, and whether the window is complete. Reads only the
 * database, never a provider. Source: service description, parts 2 (ContentWindow, ContentPage) and 4 (content).
 */
export async function readContent(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  connectionId: string,
  window: ContentWindowInput & { readonly after: string | null },
  { parts, form }: RequestedPosts = { parts: ALL_PARTS, form: null },
): Promise<ContentPage> {
  const binding = [
    "content",
    reader.application.id,
    asUuid(connectionId) ?? "",
    window.publishedAfter.toISOString(),
    window.publishedBefore.toISOString(),
  ];
  const after = window.after === null ? null : positionOf(openCursor(service.secretBox, binding, window.after));
  const find = (connection: string, at: Date) => {
    const page = {
      first: window.first,
      after,
      oldestServed: oldestServedObservation(at),
      now: at,
      parts,
    };
    return findContentPage(service, reader, scope, connection, window, page);
  };
  const found = await loadConnection(service, connectionId, find);
  enforceContentAccess(found, scope, NEEDED_CAPABILITIES.content);
  const { row, now } = found;

  const { items, json, last, hasMore } = showPosts(row, window.first, { parts, form }, now);
  const end = last && [new Date(last.publishedAt ?? 0).toISOString(), last.id];
  return {
    items,
    json,
    pageInfo: {
      endCursor: end === null ? window.after : sealCursor(service.secretBox, binding, end),
      hasNextPage: hasMore,
      ...completeness(window, row.scans.map(scanRecord), now, row),
    },
    lastSuccessfulSyncAt: dateOf(row.lastSuccessfulSyncAt),
  };
}

type ShownPosts = Pick<ContentPage, "items" | "json"> & Pick<WrittenPosts, "last" | "hasMore">;

function showPosts(row: ContentPageRow, first: number, { parts, form }: RequestedPosts, now: Date): ShownPosts {
  const served = servedCapabilities(row);
  const showsMetrics = served.includes("CONTENT_METRICS");
  const page = { first, parts, provider: row.provider, showsMetrics, oldestServed: oldestServedObservation(now) };
  const written = form && writePosts(row.posts, form, page);
  if (written !== null) return { items: [], ...written };
  const posts = readPosts(row.posts, parts);
  const shown = posts.slice(0, first);
  const items = showContentItems(shown, row.provider, served, now);
  return { items, json: null, last: shown.at(-1) ?? null, hasMore: posts.length > first };
}

function positionOf([publishedAt = "", id = ""]: readonly string[]): ContentPosition {
  return { publishedAt: new Date(publishedAt), id };
}

function scanRecord(scan: ScanJson): ScanRecord {
  return {
    status: scan.status,
    waitingToRetry: scan.status === "QUEUED" && scan.nextRetryAt !== null,
    window: { publishedAfter: new Date(scan.windowAfter), publishedBefore: new Date(scan.windowBefore) },
    completeForWindow: scan.completeForWindow === true,
    incompleteReason: scan.incompleteReason,
    coveredSince: dateOf(scan.coveredSince),
    finishedAt: dateOf(scan.finishedAt),
  };
}
