import type { SocialProvider } from "@social-connect/contract";
import type { ServedFrom, StoredContentItem } from "@social-connect/domain";
import { contentItemAsRead, servedCapabilities } from "@social-connect/domain";
import type { ContentJson } from "./store.ts";

/** A post as the API returns it. */
export interface ContentItemShown extends StoredContentItem {
  readonly id: string;
  readonly providerContentId: string;
  readonly provider: SocialProvider;
}

export function showContentItem(
  row: ContentJson,
  connection: { readonly provider: SocialProvider } & ServedFrom,
  now: Date,
): ContentItemShown {
  const observedAt = new Date(row.observedAt);
  const metricsObservedAt = row.metricsObservedAt === null ? observedAt : new Date(row.metricsObservedAt);
  const stored: ContentItemShown = {
    ...row,
    provider: connection.provider,
    publishedAt: row.publishedAt === null ? null : new Date(row.publishedAt),
    observedAt,
    metrics: row.metrics.map((metric) => ({ ...metric, observedAt: metricsObservedAt })),
  };
  return contentItemAsRead(stored, now, servedCapabilities(connection));
}
