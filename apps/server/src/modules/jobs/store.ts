import {
  type ContentFields,
  DELETED_CONTENT,
  isLookupTarget,
  type LookupTarget,
  NOT_GIVEN_METRIC,
  parseLookupUrl,
  READABLE_JOB_KINDS,
  storableContent,
} from "@social-connect/domain";
import { type Connection, type Job, Prisma } from "../../_generated/prisma/client.ts";
import type { ContentObservation } from "../../providers/contract.ts";
import { bytesOf, dateOf, type Found, keyedRead, type Reader, readForKey } from "../applications/readForKey.ts";
import { CONTENT_COLUMNS, type ContentColumn } from "../content/contentColumns.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

export interface Observed {
  readonly item: ContentObservation;
  readonly observedAt: Date;
}

/**
 * Stores all observed posts in one statement, so a scan of 100 posts takes one round trip. An older observation never
 * replaces a newer one. Without CONTENT_METRICS, metrics are not stored.
 */
export async function upsertContent(
  transaction: Transaction,
  connection: RowKey,
  observed: readonly Observed[],
  withMetrics: boolean,
): Promise<void> {
  if (observed.length === 0) return;
  const { queries, insert } = contentUpsert(connection, observed, withMetrics);
  await transaction.$executeRaw`WITH ${queries} ${insert}`;
}

/**
 * The parts of a statement that stores observed posts. Most are stored already. They are updated first, because ON CONFLICT
 * DO UPDATE locks each row before it updates it, and writes that to the log too. It only applies to rows that another
 * transaction inserted after the statement began. Stores nothing unless `condition` holds.
 */
export function contentUpsert(
  { applicationId, id: connectionId }: RowKey,
  observed: readonly Observed[],
  withMetrics: boolean,
  condition = Prisma.sql`true`,
): { readonly queries: Prisma.Sql; readonly insert: Prisma.Sql } {
  // A listing that shifts between pages can return a post twice, and one statement cannot write a row twice.
  const latest = [...new Map(observed.map((entry) => [entry.item.providerContentId, entry])).values()];
  const posts = latest.map(({ item, observedAt }) => ({ ...item, ...storableContent(item), observedAt }));
  const columns = OBSERVED_COLUMNS.map(({ field, type, isList }) => {
    const values = arrayLiteral(posts.map((post) => post[field]));
    // A list travels as its text, because unnest takes apart all levels of an array.
    return Prisma.sql`${values}::${Prisma.raw(isList ? "text" : type)}[]`;
  });
  const metrics = JSON.stringify(posts.map((post) => (withMetrics ? post.metrics : [])));
  return {
    queries: Prisma.sql`
    observed AS MATERIALIZED (
      SELECT ${OBSERVED_VALUES}, metrics, CASE WHEN metrics <> '[]' THEN observed_at END AS metrics_observed_at
        FROM ROWS FROM (unnest(${Prisma.join(columns)}), jsonb_array_elements(${metrics}::jsonb))
             AS post (${OBSERVED_NAMES}, metrics)
       WHERE ${condition}),
    replaced AS (
      UPDATE content_item AS stored SET ${REPLACE_STORED} FROM observed
       WHERE stored.application_id = ${applicationId}::uuid AND stored.connection_id = ${connectionId}::uuid
         AND stored.provider_content_id = observed.provider_content_id AND stored.observed_at <= observed.observed_at
      RETURNING stored.provider_content_id)`,
    insert: Prisma.sql`
    INSERT INTO content_item AS stored (id, application_id, connection_id, observed_since, ${OBSERVED_NAMES}, metrics, metrics_observed_at)
    SELECT gen_random_uuid(), ${applicationId}::uuid, ${connectionId}::uuid, observed_at, ${OBSERVED_NAMES}, metrics, metrics_observed_at
      FROM observed WHERE provider_content_id NOT IN (SELECT provider_content_id FROM replaced)
    ON CONFLICT (connection_id, provider_content_id, application_id) DO UPDATE SET ${REPLACE_INSERTED}
     WHERE stored.observed_at <= excluded.observed_at`,
  };
}

type ObservedField = keyof ContentFields | "providerContentId" | "kind" | "availability" | "reason" | "observedAt";

/** An array for each column takes less of the database's time than rows as JSON. */
const OBSERVED_COLUMNS: readonly (Omit<ContentColumn, "field"> & { readonly field: ObservedField })[] = [
  { field: "providerContentId", column: "provider_content_id", type: "text", isList: false },
  { field: "kind", column: "kind", type: "content_kind", isList: false },
  { field: "availability", column: "availability", type: "availability", isList: false },
  { field: "reason", column: "reason", type: "text", isList: false },
  { field: "observedAt", column: "observed_at", type: "timestamptz", isList: false },
  ...CONTENT_COLUMNS,
];
const OBSERVED_NAMES = Prisma.raw(OBSERVED_COLUMNS.map(({ column }) => column).join(", "));
const OBSERVED_VALUES = Prisma.raw(
  OBSERVED_COLUMNS.map(({ column, type, isList }) => (isList ? `${column}::${type}[] AS ${column}` : column)).join(
    ", ",
  ),
);

const REPLACE_STORED = replacementBy("observed");
const REPLACE_INSERTED = replacementBy("excluded");

/** Leaves `observed_since`; see CONTENT_IS_OPEN. */
function replacementBy(source: "observed" | "excluded"): Prisma.Sql {
  const columns = [...OBSERVED_COLUMNS.slice(1).map(({ column }) => column), "metrics", "metrics_observed_at"];
  return Prisma.raw(columns.map((column) => `${column} = ${replacement(column, source)}`).join(", "));
}

function replacement(column: string, source: "observed" | "excluded"): string {
  // It stays when a later observation lacks it: a deleted post is still listed at its place.
  if (column === "published_at") return `COALESCE(${source}.published_at, stored.published_at)`;
  // A long text is stored outside the row. Assigned to itself it stays there; a new value would be written again.
  if (column === "description")
    return `CASE WHEN ${source}.description = stored.description THEN stored.description ELSE ${source}.description END`;
  return `${source}.${column}`;
}

/** PostgreSQL's text form of an array. */
function arrayLiteral(values: readonly Element[]): string {
  return `{${values.map(elementLiteral).join(",")}}`;
}

type Element = string | number | boolean | Date | readonly string[] | null;

function elementLiteral(value: Element): string {
  if (value === null) return "NULL";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === "string" ? value : arrayLiteral(value);
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`;
}

/** Marks posts as deleted at the provider and clears their content. */
export async function markDeleted(
  transaction: Transaction,
  { id: connectionId, applicationId }: RowKey,
  providerContentIds: readonly string[],
  now: Date,
): Promise<number> {
  if (providerContentIds.length === 0) return 0;
  return transaction.$executeRaw`
    UPDATE content_item SET ${CLEAR_DELETED}, availability = ${DELETED_CONTENT.availability}::availability,
           reason = ${DELETED_CONTENT.reason}, metrics = '[]', metrics_observed_at = NULL, observed_at = ${now}::timestamptz
     WHERE application_id = ${applicationId}::uuid AND connection_id = ${connectionId}::uuid
       AND provider_content_id = ANY (${providerContentIds}::text[]) AND observed_at <= ${now}::timestamptz`;
}

/** Marks the numbers of posts as not given at `now`; what was read of the posts before stays. */
export async function discardMetrics(
  transaction: Transaction,
  { id: connectionId, applicationId }: RowKey,
  providerContentIds: readonly string[],
  now: Date,
): Promise<void> {
  if (providerContentIds.length === 0) return;
  await transaction.$executeRaw`
    UPDATE content_item SET metrics_observed_at = ${now}::timestamptz, metrics = (
           SELECT jsonb_agg(CASE WHEN metric ->> 'availability' = 'AVAILABLE' THEN metric || ${JSON.stringify(NOT_GIVEN_METRIC)}::jsonb
                            ELSE metric END ORDER BY position)
             FROM jsonb_array_elements(metrics) WITH ORDINALITY AS entry (metric, position))
     WHERE application_id = ${applicationId}::uuid AND connection_id = ${connectionId}::uuid
       AND provider_content_id = ANY (${providerContentIds}::text[]) AND metrics_observed_at <= ${now}::timestamptz`;
}

/** Prisma cannot write NULL to a list. */
const CLEAR_DELETED = Prisma.raw(
  CONTENT_COLUMNS.flatMap(({ field, column }) => (field in DELETED_CONTENT ? [`${column} = NULL`] : [])).join(", "),
);

interface UnseenPosts {
  readonly connection: RowKey;
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
  /** Start of the scan, or of the chain of scans, that covered the window. */
  readonly since: Date;
  readonly seen: readonly string[];
  readonly limit: number;
}

/** Stored posts of a window that a complete scan did not return, newest first. */
export async function findUnseenPosts(service: Service, posts: UnseenPosts): Promise<string[]> {
  const rows = await service.prisma.contentItem.findMany({
    where: {
      applicationId: posts.connection.applicationId,
      connectionId: posts.connection.id,
      publishedAt: { gte: posts.publishedAfter, lt: posts.publishedBefore },
      observedAt: { lt: posts.since },
      availability: "AVAILABLE",
      providerContentId: { notIn: [...posts.seen] },
    },
    select: { providerContentId: true },
    orderBy: { publishedAt: "desc" },
    take: posts.limit,
  });
  return rows.map((row) => row.providerContentId);
}

export async function isObserved(
  client: Service["prisma"] | Transaction,
  { id: connectionId, applicationId }: RowKey,
  providerContentId: string,
): Promise<boolean> {
  return (await client.contentItem.count({ where: { applicationId, connectionId, providerContentId } })) > 0;
}

/** Whether any post of the connection was ever stored. */
export async function hasPosts({ prisma }: Service, { id: connectionId, applicationId }: RowKey): Promise<boolean> {
  const row = await prisma.contentItem.findFirst({ where: { applicationId, connectionId }, select: { id: true } });
  return row !== null;
}

/** When a stored post was published; null if that is unknown, and undefined for a post that is not stored. */
export async function findPublicationTime(
  { prisma }: Service,
  { id: connectionId, applicationId }: RowKey,
  providerContentId: string,
): Promise<Date | null | undefined> {
  const row = await prisma.contentItem.findFirst({
    where: { applicationId, connectionId, providerContentId },
    select: { publishedAt: true },
  });
  return row?.publishedAt === undefined ? undefined : row.publishedAt;
}

/** The ID of the stored post whose URL matches the lookup's target; null if no post matches. */
export async function findIdByAddress(
  { prisma }: Service,
  { id: connectionId, applicationId, provider }: Pick<Connection, "id" | "applicationId" | "provider">,
  target: LookupTarget,
): Promise<string | null> {
  const candidates = await prisma.contentItem.findMany({
    where: { applicationId, connectionId, canonicalUrl: { contains: target.value } },
    select: { providerContentId: true, canonicalUrl: true },
  });
  const found = candidates.find(({ canonicalUrl }) => {
    const named = parseLookupUrl(canonicalUrl ?? "", provider);
    return isLookupTarget(named) && named.kind === target.kind && named.value === target.value;
  });
  return found?.providerContentId ?? null;
}

/** The columns that `showSyncJob` needs. */
export type ShowableJob = Pick<
  Job,
  | "id"
  | "connectionId"
  | "kind"
  | "status"
  | "nextRetryAt"
  | "errorCode"
  | "creatorAction"
  | "resultProviderContentId"
  | "completeForWindow"
  | "incompleteReason"
  | "providerCursor"
  | "createdAt"
  | "finishedAt"
>;

/** A job with the hash of the scope that may read it. */
export type ReadableJob = ShowableJob & { readonly scopeHash: Uint8Array };

type Times = "nextRetryAt" | "createdAt" | "finishedAt";
/** JSON from PostgreSQL. */
type JobRow = Omit<ShowableJob, Times> & {
  readonly nextRetryAt: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** `\x` and hexadecimal digits. */
  readonly scopeHash: string;
};

const READ_JOB = keyedRead("jobs.readJob", {
  columns: `j.id, j.connection_id AS "connectionId", j.scope_hash AS "scopeHash", j.kind, j.status,
    j.next_retry_at AS "nextRetryAt", j.error_code AS "errorCode", j.creator_action AS "creatorAction",
    j.result_provider_content_id AS "resultProviderContentId", j.complete_for_window AS "completeForWindow",
    j.incomplete_reason AS "incompleteReason", j.provider_cursor AS "providerCursor", j.created_at AS "createdAt",
    j.finished_at AS "finishedAt"`,
  join: `LEFT JOIN job j ON j.application_id = $2 AND j.connection_id = $4 AND j.id = $5
    AND j.kind IN (${READABLE_JOB_KINDS.map((kind) => `'${kind}'`).join(", ")})`,
});

/** Callers poll this until the job ends. */
export async function findReadableJob(
  service: Service,
  reader: Reader,
  { tenantKey, connectionId, id }: { readonly tenantKey: string; readonly connectionId: string; readonly id: string },
  now: Date,
): Promise<Found<ReadableJob>> {
  const read = { read: READ_JOB, tenantKey, values: [connectionId, id], now };
  const { row, policy } = await readForKey<JobRow>(service, reader, read);
  if (row === null) return { row, policy };
  const { nextRetryAt, createdAt, finishedAt, scopeHash } = row;
  const times = { nextRetryAt: dateOf(nextRetryAt), createdAt: dateOf(createdAt), finishedAt: dateOf(finishedAt) };
  return { row: { ...row, ...times, scopeHash: bytesOf(scopeHash) }, policy };
}
