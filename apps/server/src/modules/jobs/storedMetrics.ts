import type { Availability, MetricName } from "@social-connect/contract";

/** An entry of `content_item.metrics`. `metrics_observed_at` applies to all entries of a post. */
export interface StoredMetricReading {
  readonly name: MetricName;
  readonly value: string | null;
  readonly availability: Availability;
  readonly reason: string | null;
  readonly sourceField: string | null;
}
