import type { Capability, SocialProvider } from "@social-connect/contract";
import type { StoredContentItem, WrittenDateTime } from "@social-connect/domain";
import { contentItemAsRead } from "@social-connect/domain";
import { dateOf, writtenDateTime } from "../applications/readForKey.ts";
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
      // Written out, because copying two hundred metrics of a page with `...` took twice as long.
      metrics: (row.metrics ?? []).map(({ name, value, availability, reason, sourceField }) => ({
        ...{ name, value, availability, reason, sourceField },
        observedAt: metricsObservedAt,
      })),
    };
    return contentItemAsRead(stored, now, served);
  });
}

/** Reads times of which most are the same as the one before: a scan observes many posts in one request. */
function repeatedTimes(): (text: string) => Date {
  let latest = { text: "", time: new Date(0) };
  return (text) => {
    if (text !== latest.text) latest = { text, time: dateOf(text) };
    return latest.time;
  };
}
