import type { Availability, Capability, MetricName, SocialProvider } from "@social-connect/contract";
import type { StoredContentItem, StoredMetric, WrittenDateTime } from "@social-connect/domain";
import { contentItemAsRead } from "@social-connect/domain";
import { dateOf, writtenDateTime } from "../applications/readForKey.ts";
import { METRIC_COLUMNS } from "./postColumns.ts";
import type { ContentJson } from "./store.ts";

/** A post as the API returns it. */
export interface ContentItemShown extends Omit<StoredContentItem, "publishedAt"> {
  readonly publishedAt: WrittenDateTime | null;
  readonly id: string;
  readonly providerContentId: string;
  readonly provider: SocialProvider;
}

/**
 * Shows posts of a connection, of whose capabilities `served` can be used. Posts without their observation were selected by
 * its age, and nothing shows it.
 */
export function showContentItems(
  rows: readonly ContentJson[],
  provider: SocialProvider,
  served: readonly Capability[],
  now: Date,
): ContentItemShown[] {
  const timeOf = repeatedTimes();
  return rows.map((row) => {
    const observedAt = row.observedAt === undefined ? now : timeOf(row.observedAt);
    const metricsObservedAt = row.metricsObservedAt == null ? observedAt : timeOf(row.metricsObservedAt);
    const stored: ContentItemShown = {
      ...row,
      provider,
      publishedAt: row.publishedAt === null ? null : writtenDateTime(row.publishedAt),
      observedAt,
      metrics: readMetrics(row.metrics ?? [], metricsObservedAt),
    };
    return contentItemAsRead(stored, now, served);
  });
}

function readMetrics(values: readonly (string | null)[], observedAt: Date): StoredMetric[] {
  const metrics: StoredMetric[] = [];
  for (let index = 0; index < values.length; index += METRIC_COLUMNS.length) {
    const [name, value = null, reason = null, sourceField = null, availability] = values.slice(
      index,
      index + METRIC_COLUMNS.length,
    );
    metrics.push({
      ...{ name: name as MetricName, value, availability: availability as Availability, reason, sourceField },
      observedAt,
    });
  }
  return metrics;
}

/** Reads times of which most are the same as the one before: a scan observes many posts in one request. */
function repeatedTimes(): (text: string) => Date {
  let latest = { text: "", time: new Date(0) };
  return (text) => {
    if (text !== latest.text) latest = { text, time: dateOf(text) };
    return latest.time;
  };
}
