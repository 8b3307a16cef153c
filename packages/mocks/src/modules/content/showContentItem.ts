import type { SocialProvider } from "@social-connect/contract";
import { contentItemAsRead, type ServedFrom, servedCapabilities } from "@social-connect/domain";
import type { StoredPost } from "../../state/state.ts";

/** A stored post as the API returns it at `now`. Metrics have the observation time of the post. */
export function showContentItem(
  post: StoredPost,
  { provider, ...connection }: { readonly provider: SocialProvider } & ServedFrom,
  now: Date,
) {
  return contentItemAsRead({ ...post, provider }, post.observedAt, now, servedCapabilities(connection));
}
