import type { Availability, ContentKind, MetricName, ObservationReason } from "@social-connect/contract";
import { foreignText } from "../text/foreignText.ts";

/** The fields of a post that only its provider knows; null for what the provider does not show. */
export interface ContentFields {
  readonly canonicalUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly publishedAt: Date | null;
}

/** A post without content. Storage derives its columns from these keys. */
export const EMPTY_CONTENT = {
  canonicalUrl: null,
  thumbnailUrl: null,
  title: null,
  description: null,
  publishedAt: null,
} as const satisfies ContentFields;

export const CONTENT_FIELDS = Object.keys(EMPTY_CONTENT) as readonly (keyof ContentFields)[];

export interface StoredMetric {
  readonly name: MetricName;
  /** Decimal digits; null unless AVAILABLE. */
  readonly value: string | null;
  readonly availability: Availability;
  readonly reason: string | null;
  /** The provider's own field, for example `statistics.viewCount`; null if it has none. */
  readonly sourceField: string | null;
}

export interface MetricReading extends StoredMetric {
  readonly reason: ObservationReason | null;
}

/** A post as a provider returned it at one time. Missing values are null, never estimated. */
export interface ContentObservation extends ContentFields {
  readonly providerContentId: string;
  readonly kind: ContentKind;
  readonly availability: Availability;
  readonly reason: ObservationReason | null;
  /** Empty if metrics were not requested; otherwise one entry for each MetricName, in that order. */
  readonly metrics: readonly MetricReading[];
}

/** The fields of an observation as they can be stored. */
export function storableContent(observed: ContentFields): ContentFields {
  const entries = CONTENT_FIELDS.map((field) => {
    const value: unknown = observed[field];
    if (Array.isArray(value)) return [field, value.flatMap((item) => foreignText(item) ?? [])];
    return [field, typeof value === "string" ? foreignText(value) : value];
  });
  return Object.fromEntries(entries);
}
