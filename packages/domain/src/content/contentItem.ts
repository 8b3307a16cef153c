import { type Availability, type Capability, type ContentKind, LIMITS } from "@social-connect/contract";
import { addMs, isOlderThan } from "../time/time.ts";
import { type ContentFields, type ContentObservation, EMPTY_CONTENT, type StoredMetric } from "./contentFields.ts";
import type { PublicationWindow } from "./window.ts";

export interface MetricShown extends StoredMetric {
  readonly observedAt: Date;
}

export interface StoredContentItem extends ContentFields {
  readonly kind: ContentKind;
  readonly availability: Availability;
  readonly reason: string | null;
  readonly observedAt: Date;
  readonly metrics: readonly StoredMetric[];
}

/** True for a post last observed more than 30 days ago. `content` leaves it out. Source: service description, part 2, ContentPage. */
export function isContentExpired(observedAt: Date, now: Date): boolean {
  return isOlderThan(observedAt, LIMITS.contentRetentionMs, now);
}

/**
 * True for an expired post that may have been in the window: a post is observed after it is published. The publication
 * time is not compared, because the purge deletes it, and a page must not depend on when the purge ran. For SQL: `observed_at >= publishedAfter AND observed_at < oldestServedObservation(now)`.
 */
export function mayHaveExpiredFrom(window: PublicationWindow, observedAt: Date, now: Date): boolean {
  return isContentExpired(observedAt, now) && observedAt.getTime() >= window.publishedAfter.getTime();
}

/** The oldest observation that is still served, itself included. For SQL: `observed_at >= oldestServedObservation(now)`. */
export function oldestServedObservation(now: Date): Date {
  return addMs(now, -LIMITS.contentRetentionMs);
}

/**
 * A stored post, as shown at `now`; `measuredAt`: when its metrics were read. After 30 days it shows only its ids and when it
 * was observed: the nullable fields are null, kind is UNKNOWN (the purge deletes the kind too), availability UNAVAILABLE with
 * reason EXPIRED, no metrics. Metrics are shown only with CONTENT_METRICS; a number read more than 30 days ago is EXPIRED even
 * if the post was observed later. Source: service description, parts 1, 2 (ContentItem) and 4 (contentItem).
 */
export function contentItemAsRead<Item extends Pick<StoredContentItem, "observedAt" | "metrics">>(
  item: Item,
  measuredAt: Date,
  now: Date,
  capabilities: readonly Capability[],
): Item & { readonly metrics: readonly MetricShown[] } {
  if (isContentExpired(item.observedAt, now)) return { ...item, ...EXPIRED_CONTENT };
  if (!capabilities.includes("CONTENT_METRICS")) return { ...item, metrics: [] };
  const expired = isContentExpired(measuredAt, now) ? EXPIRED_METRIC : null;
  return { ...item, metrics: item.metrics.map((metric) => ({ ...metric, ...expired, observedAt: measuredAt })) };
}

/** What an expired post is shown as; also what a purge overwrites it with. */
export const EXPIRED_CONTENT = {
  ...EMPTY_CONTENT,
  kind: "UNKNOWN",
  availability: "UNAVAILABLE",
  reason: "EXPIRED",
  metrics: [],
} as const satisfies Omit<StoredContentItem, "observedAt">;

const { publishedAt: _, ...CLEARED_CONTENT } = EMPTY_CONTENT;

/** What overwrites a post that was deleted at the provider. It keeps its publication time, so pages still contain it. */
export const DELETED_CONTENT = {
  ...CLEARED_CONTENT,
  availability: "UNAVAILABLE",
  reason: "DELETED_AT_PROVIDER",
  metrics: [],
} as const satisfies Partial<ContentObservation>;

const EXPIRED_METRIC = {
  value: null,
  availability: "UNAVAILABLE",
  reason: "EXPIRED",
} as const satisfies Partial<StoredMetric>;

/** What replaces a number that the provider refuses to give again. */
export const NOT_GIVEN_METRIC = { value: null, availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN" } as const;
