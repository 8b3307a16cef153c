import type { Capability, SocialProvider } from "@social-connect/contract";
import { contentItemAsRead, type StoredContentItem } from "@social-connect/domain";
import type { PostJson } from "./store.ts";

/** A post as the API returns it. */
export interface ContentItemShown extends Omit<StoredContentItem, "publishedAt"> {
  readonly publishedAt: string | null;
  readonly id: string;
  readonly providerContentId: string;
  readonly provider: SocialProvider;
}

/** Shows posts of a connection, of whose capabilities `served` can be used. */
export function showContentItems(
  posts: readonly PostJson[],
  provider: SocialProvider,
  served: readonly Capability[],
  now: Date,
): ContentItemShown[] {
  return posts.map(({ metricsObservedAt, ...post }) => {
    const observedAt = new Date(post.observedAt);
    const measuredAt = metricsObservedAt === null ? observedAt : new Date(metricsObservedAt);
    const metrics = post.metrics.map((metric) => ({ ...metric, observedAt: measuredAt }));
    return contentItemAsRead<ContentItemShown>({ ...post, provider, observedAt, metrics }, now, served);
  });
}
