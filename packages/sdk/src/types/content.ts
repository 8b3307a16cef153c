import type { Availability, ContentKind, MetricName, Open, SocialProvider } from "./enumerations.ts";

/** One number of a post. */
export interface MetricObservation {
  /** What it counts. */
  readonly name: MetricName;
  /** Decimal digits, without an upper bound. Null when the provider does not give it; it is never estimated. */
  readonly value: string | null;
  /** Whether there is a number, and if not, whether there could be. */
  readonly availability: Availability;
  /** Why there is none, for example `METRIC_HIDDEN`, or `METRIC_NOT_GIVEN` where the provider left it out this time. */
  readonly reason: string | null;
  /** The provider's own field that the value came from. */
  readonly sourceField: string | null;
  /** When the service last read it. ISO 8601. */
  readonly observedAt: string;
}

/** A stored post. */
export interface ContentItem {
  /** The service's id of what it stores. */
  readonly id: string;
  /** The provider's id of the post: what `contentItem` and a metrics refresh take. */
  readonly providerContentId: string;
  /** Where the post is. */
  readonly provider: Open<SocialProvider>;
  /** What it is made of. */
  readonly kind: ContentKind;
  /** Its public address. */
  readonly canonicalUrl: string | null;
  /** A picture of it; never there for PROVIDER_A, and its address may end at the provider after some hours. */
  readonly thumbnailUrl: string | null;
  /** Its title; never there for PROVIDER_C. */
  readonly title: string | null;
  /** Its description or caption. */
  readonly description: string | null;
  /** When it was published. ISO 8601. */
  readonly publishedAt: string | null;
  /** Whether it can still be seen at the provider. */
  readonly availability: Availability;
  /** Why not, for example `DELETED_AT_PROVIDER`; `EXPIRED` when it was last seen more than 30 days ago. */
  readonly reason: string | null;
  /** When the service last read it. ISO 8601. */
  readonly observedAt: string;
  /** Empty unless the connection has CONTENT_METRICS. */
  readonly metrics: readonly MetricObservation[];
}

/** A part of the posts of a window, newest first. */
export interface ContentPage {
  /** The posts of this page, last seen within 30 days. */
  readonly items: readonly ContentItem[];
  /** How to go on, and whether anything may be missing. */
  readonly pageInfo: ContentPageInfo;
  /** When the connection's posts were last read with success. ISO 8601. */
  readonly lastSuccessfulSyncAt: string | null;
}

/** How to go on after a page of posts, and whether the window is covered. */
export interface ContentPageInfo {
  /** For the next page of the same window; null when nothing follows. */
  readonly endCursor: string | null;
  /** Whether there are more stored posts. */
  readonly hasNextPage: boolean;
  /** True only when a recent successful scan covered the whole window. */
  readonly completeForWindow: boolean;
  /** Why posts may be missing, for example `SCAN_RUNNING`. */
  readonly incompleteReason: string | null;
}
