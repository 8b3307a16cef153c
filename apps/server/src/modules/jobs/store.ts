import type { LookupTarget } from "@social-connect/domain";
import { isLookupTarget, parseLookupUrl, storableText } from "@social-connect/domain";
import type { Pool } from "pg";
import type { Connection, Job, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { ContentObservation, MetricReading } from "../../providers/contract.ts";
import type { Service, Transaction } from "../service.ts";
import type { ShowableJob } from "./showSyncJob.ts";
import type { StoredMetricReading } from "./storedMetrics.ts";

export interface Observed {
  readonly item: ContentObservation;
  readonly observedAt: Date;
}

/**
 * Upserts all observed posts in one statement, so a scan of 100 posts takes one round trip. An older observation never
 * replaces a newer one. Without CONTENT_METRICS, metrics are not stored.
 */
export async function upsertContent(
  transaction: Transaction,
  connectionId: string,
  observed: readonly Observed[],
  withMetrics: boolean,
): Promise<void> {
  if (observed.length === 0) return;
  // A listing that shifts between pages can return a post twice, and one upsert cannot write a row twice.
  const latest = new Map(observed.map((entry) => [entry.item.providerContentId, entry]));
  const rows = JSON.stringify([...latest.values()].map((entry) => toRow(entry, withMetrics)));
  await transaction.$executeRaw`
    INSERT INTO content_item AS stored (
      id, connection_id, provider_content_id, kind, canonical_url, thumbnail_url, title, description, published_at,
      availability, reason, observed_at, metrics, metrics_observed_at)
    SELECT id, ${connectionId}::uuid, provider_content_id, kind::content_kind, canonical_url, thumbnail_url, title,
           description, published_at, availability::availability, reason, observed_at, metrics, metrics_observed_at
      FROM jsonb_to_recordset(${rows}::jsonb) AS seen(
           id uuid, provider_content_id text, kind text, canonical_url text, thumbnail_url text, title text,
           description text, published_at timestamptz, availability text, reason text, observed_at timestamptz,
           metrics jsonb, metrics_observed_at timestamptz)
    ON CONFLICT (connection_id, provider_content_id) DO UPDATE SET
      kind = excluded.kind, canonical_url = excluded.canonical_url, thumbnail_url = excluded.thumbnail_url,
      title = excluded.title, description = excluded.description,
      published_at = COALESCE(excluded.published_at, stored.published_at),
      availability = excluded.availability, reason = excluded.reason, observed_at = excluded.observed_at,
      metrics = excluded.metrics, metrics_observed_at = excluded.metrics_observed_at
    WHERE stored.observed_at <= excluded.observed_at`;
}

function toRow({ item, observedAt }: Observed, withMetrics: boolean): Prisma.InputJsonObject {
  return {
    id: newId(),
    provider_content_id: item.providerContentId,
    kind: item.kind,
    canonical_url: storable(item.canonicalUrl),
    thumbnail_url: storable(item.thumbnailUrl),
    title: storable(item.title),
    description: storable(item.description),
    published_at: item.publishedAt?.toISOString() ?? null,
    availability: item.availability,
    reason: item.reason,
    observed_at: observedAt.toISOString(),
    metrics: withMetrics ? item.metrics.map(storedReading) : [],
    metrics_observed_at: withMetrics && item.metrics.length > 0 ? observedAt.toISOString() : null,
  };
}

function storedReading({ name, value, availability, reason, sourceField }: MetricReading) {
  return { name, value, availability, reason, sourceField } satisfies StoredMetricReading;
}

function storable(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

/** Marks posts as deleted at the provider and clears their content. */
export async function markDeleted(
  transaction: Transaction,
  connectionId: string,
  providerContentIds: readonly string[],
  now: Date,
): Promise<number> {
  if (providerContentIds.length === 0) return 0;
  const { count } = await transaction.contentItem.updateMany({
    where: { connectionId, providerContentId: { in: [...providerContentIds] }, observedAt: { lte: now } },
    data: {
      canonicalUrl: null,
      thumbnailUrl: null,
      title: null,
      description: null,
      availability: "UNAVAILABLE",
      reason: "DELETED_AT_PROVIDER",
      observedAt: now,
      metrics: [],
      metricsObservedAt: null,
    },
  });
  return count;
}

interface UnseenPosts {
  readonly connectionId: string;
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
      connectionId: posts.connectionId,
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
  connectionId: string,
  providerContentId: string,
): Promise<boolean> {
  return (await client.contentItem.count({ where: { connectionId, providerContentId } })) > 0;
}

/** The ID of the stored post whose URL matches the lookup's target; null if no post matches. */
export async function findIdByAddress(
  { prisma }: Service,
  { id: connectionId, provider }: Pick<Connection, "id" | "provider">,
  target: LookupTarget,
): Promise<string | null> {
  const candidates = await prisma.contentItem.findMany({
    where: { connectionId, canonicalUrl: { contains: target.value } },
    select: { providerContentId: true, canonicalUrl: true },
  });
  const found = candidates.find(({ canonicalUrl }) => {
    const named = parseLookupUrl(canonicalUrl ?? "", provider);
    return isLookupTarget(named) && named.kind === target.kind && named.value === target.value;
  });
  return found?.providerContentId ?? null;
}

/** Raw SQL, because callers poll this until the job ends. */
export async function findJobOfApplication(
  pool: Pool,
  applicationId: string,
  connectionId: string,
  id: string,
  kinds: readonly Job["kind"][],
): Promise<(ShowableJob & Pick<Job, "scopeHash">) | null> {
  const { rows } = await pool.query<ShowableJob & Pick<Job, "scopeHash">>({
    name: "sync.findJobOfApplication",
    text: `SELECT id, connection_id AS "connectionId", scope_hash AS "scopeHash", kind::text AS kind, status::text AS status,
                  next_retry_at AS "nextRetryAt", error_code AS "errorCode", creator_action::text AS "creatorAction",
                  result_provider_content_id AS "resultProviderContentId", complete_for_window AS "completeForWindow",
                  incomplete_reason AS "incompleteReason", provider_cursor AS "providerCursor", created_at AS "createdAt",
                  finished_at AS "finishedAt"
             FROM job WHERE id = $1 AND connection_id = $2 AND application_id = $3 AND kind = ANY ($4::job_kind[])`,
    values: [id, connectionId, applicationId, kinds],
  });
  return rows[0] ?? null;
}
