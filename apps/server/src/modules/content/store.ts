import type { JobStatus, ScanIncompleteReason } from "@social-connect/contract";
import type { PublicationWindow, SubjectScope } from "@social-connect/domain";
import { type Found, keyedRead, type Reader, readForKey } from "../applications/readForKey.ts";
import { ACCESS_COLUMNS, type AccessRow, JOIN_CONNECTION_OF_SUBJECT } from "../connections/accessRow.ts";
import type { Service } from "../service.ts";
import { CONTENT_IS_EXPIRED, CONTENT_IS_OPEN, POST, type PostJson } from "./contentColumns.ts";

export interface ScanJson {
  readonly status: JobStatus;
  readonly nextRetryAt: string | null;
  readonly windowAfter: string;
  readonly windowBefore: string;
  readonly completeForWindow: boolean | null;
  readonly coveredSince: string | null;
  readonly incompleteReason: ScanIncompleteReason | null;
  readonly finishedAt: string | null;
}

export interface ContentPageRow extends AccessRow {
  /** One more than a page has if there is a next page. */
  readonly posts: readonly PostJson[];
  readonly scans: readonly ScanJson[];
  /** Whether posts that may be in the window are omitted because their last observation expired. */
  readonly hasExpiredContent: boolean;
}

/** The last row of a page of posts, which are sorted newest first, then by ID. */
export interface ContentPosition {
  readonly publishedAt: Date;
  readonly id: string;
}

const SCAN_COLUMNS = `
  j.status, j.next_retry_at AS "nextRetryAt", j.window_after AS "windowAfter", j.window_before AS "windowBefore",
  j.complete_for_window AS "completeForWindow", j.covered_since AS "coveredSince",
  j.incomplete_reason AS "incompleteReason", j.finished_at AS "finishedAt"`;

/**
 * Posts that were last observed in the window and at least 30 days ago, as `mayHaveExpiredFrom` decides. Reads no index for a
 * window that began less than 30 days ago. Otherwise it reads two: an expired post has its observation in the index, and of
 * the other posts only those are compared that were not observed for 30 days when the sweep last moved their bound.
 */
const HAS_EXPIRED_CONTENT = `($6 < $8 AND (
        EXISTS (SELECT 1 FROM content_item WHERE application_id = $2 AND connection_id = c.id AND ${CONTENT_IS_EXPIRED}
                   AND observed_since >= $6 AND observed_since < $8)
        OR EXISTS (SELECT 1 FROM content_item WHERE application_id = $2 AND connection_id = c.id AND ${CONTENT_IS_OPEN}
                      AND observed_since < $8 AND observed_at >= $6 AND observed_at < $8)))`;

/** Older scans could only show that a page is stale. */
const MAX_SCANS = 50;

type Reads = Pick<Service, "hotReads" | "reads" | "logger">;

/**
 * Reads a page in one statement: the key, the connection with its access state, the posts, and the scans that determine
 * completeness. A scan that does not touch the window says nothing about it.
 */
export function findContentPage(
  service: Reads,
  reader: Reader,
  { tenantKey, externalSubjectId }: SubjectScope,
  connectionId: string,
  { publishedAfter, publishedBefore }: PublicationWindow,
  page: {
    readonly first: number;
    readonly after: ContentPosition | null;
    readonly oldestServed: Date;
    readonly now: Date;
  },
): Promise<Found<ContentPageRow>> {
  const { first, after, oldestServed, now } = page;
  // No post at the end of the window belongs to it, so the first page begins after all of them.
  const { publishedAt, id } = after ?? { publishedAt: publishedBefore, id: LOWEST_ID };
  const values = [
    externalSubjectId,
    connectionId,
    publishedAfter,
    publishedBefore,
    oldestServed,
    first + 1,
    publishedAt,
    id,
  ];
  return readForKey(service, reader, { read: READ_PAGE, tenantKey, values, now });
}

const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

const READ_PAGE = keyedRead("content.readPage", {
  columns: `${ACCESS_COLUMNS},
    (SELECT coalesce(json_agg(post), '[]') FROM (
       SELECT ${POST} FROM content_item p
        WHERE p.application_id = $2 AND p.connection_id = c.id AND p.published_at >= $6
          AND (p.published_at, p.id) < ($10, $11) AND p.observed_at >= $8
        ORDER BY p.published_at DESC, p.id DESC LIMIT $9) post) AS posts,
    (SELECT coalesce(json_agg(scan), '[]') FROM (
       SELECT ${SCAN_COLUMNS} FROM job j WHERE j.application_id = $2 AND j.connection_id = c.id AND j.kind = 'SCAN'
          AND j.window_after < $7 AND j.window_before > $6
        ORDER BY j.created_at DESC LIMIT ${MAX_SCANS}) scan) AS scans,
    ${HAS_EXPIRED_CONTENT} AS "hasExpiredContent"`,
  join: JOIN_CONNECTION_OF_SUBJECT,
});

const READ_ITEM = keyedRead("content.readItem", {
  columns: `${ACCESS_COLUMNS},
    (SELECT row_to_json(post) FROM (
       SELECT ${POST} FROM content_item p
        WHERE p.application_id = $2 AND p.connection_id = c.id AND p.provider_content_id = $6) post) AS post`,
  join: JOIN_CONNECTION_OF_SUBJECT,
});

export function findContentItem(
  service: Reads,
  reader: Reader,
  { tenantKey, externalSubjectId }: SubjectScope,
  item: { readonly connectionId: string; readonly providerContentId: string },
  now: Date,
): Promise<Found<AccessRow & { readonly post: PostJson | null }>> {
  const values = [externalSubjectId, item.connectionId, item.providerContentId];
  return readForKey(service, reader, { read: READ_ITEM, tenantKey, values, now });
}
