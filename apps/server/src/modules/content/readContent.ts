import {
  type ContentWindowInput,
  completeness,
  contentQuery,
  NEEDED_CAPABILITIES,
  oldestServedObservation,
  type ScanRecord,
  type SubjectScope,
  servedCapabilities,
} from "@social-connect/domain";
import { openCursor, sealCursor } from "../../platform/cursor.ts";
import { dateOf, type Reader } from "../applications/readForKey.ts";
import { enforceContentAccess, loadConnection } from "../connections/readConnection.ts";
import type { Service } from "../service.ts";
import { type ContentItemShown, showContentItem } from "./contentColumns.ts";
import { type ContentPosition, findContentItem, findContentPage, type ScanJson } from "./store.ts";

export type ContentPage = Awaited<ReturnType<typeof readContent>>;

/**
 * Returns stored posts published in a window, newest first, and whether the window is complete. Reads only the
 * database, never a provider. Source: service description, parts 2 (ContentWindow, ContentPage) and 4 (content).
 */
export async function readContent(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  connectionId: string,
  window: ContentWindowInput & { readonly after?: string | null | undefined },
) {
  const binding = contentQuery(reader.application.id, connectionId, window);
  const after = window.after == null ? null : positionOf(openCursor(service.secretBox, binding, window.after));
  const find = (connection: string, at: Date) => {
    const page = {
      first: window.first,
      after,
      oldestServed: oldestServedObservation(at),
      now: at,
    };
    return findContentPage(service, reader, scope, connection, window, page);
  };
  const found = await loadConnection(service, connectionId, find);
  enforceContentAccess(found, scope, NEEDED_CAPABILITIES.content);
  const { row, now } = found;

  const shown = row.posts.slice(0, window.first);
  const last = shown.at(-1);
  const end = last && [new Date(last.publishedAt ?? 0).toISOString(), last.id];
  const served = servedCapabilities(row);
  return {
    items: shown.map((post) => showContentItem(post, row.provider, served, now)),
    pageInfo: {
      endCursor: end === undefined ? (window.after ?? null) : sealCursor(service.secretBox, binding, end),
      hasNextPage: row.posts.length > shown.length,
      ...completeness(window, row.scans.map(scanRecord), now, row),
    },
    lastSuccessfulSyncAt: dateOf(row.lastSuccessfulSyncAt),
  };
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

/**
 * Returns a stored post by the provider's ID; null if it was never observed. Source: service description, part 4,
 * contentItem.
 */
export async function readContentItem(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  connectionId: string,
  providerContentId: string,
): Promise<ContentItemShown | null> {
  const find = (connection: string, now: Date) =>
    findContentItem(service, reader, scope, { connectionId: connection, providerContentId }, now);
  const found = await loadConnection(service, connectionId, find);
  enforceContentAccess(found, scope, NEEDED_CAPABILITIES.contentItem);
  const { row, now } = found;
  return row.post && showContentItem(row.post, row.provider, servedCapabilities(row), now);
}
