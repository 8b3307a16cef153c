import type { Availability, MetricName } from "@social-connect/contract";

/** One entry of `content_item.metrics`; when it was read is `metrics_observed_at`, the same for all of a post. */
export interface StoredMetricReading {
  readonly name: MetricName;
  readonly value: string | null;
  readonly availability: Availability;
  readonly reason: string | null;
  readonly sourceField: string | null;
}
