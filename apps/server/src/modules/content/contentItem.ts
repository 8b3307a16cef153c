import type { Capability, SocialProvider } from "@social-connect/contract";
import { contentItemAsRead, type MetricShown, type StoredContentItem } from "@social-connect/domain";
import type { PostJson } from "./store.ts";

/** A post as the API returns it. */
export interface ContentItemShown extends Omit<StoredContentItem, "publishedAt"> {
  readonly publishedAt: string | null;
  readonly id: string;
  readonly providerContentId: string;
  readonly provider: SocialProvider;
  readonly metrics: readonly MetricShown[];
}

/** Shows a post of a connection, of whose capabilities `served` can be used. */
export function showContentItem(
  post: PostJson,
  provider: SocialProvider,
  served: readonly Capability[],
  now: Date,
): ContentItemShown {
  const observedAt = new Date(post.observedAt);
  const measuredAt = post.metricsObservedAt === null ? observedAt : new Date(post.metricsObservedAt);
  return contentItemAsRead({ ...post, provider, observedAt }, measuredAt, now, served);
}
