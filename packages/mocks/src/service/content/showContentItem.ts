import { contentItemAsRead } from "@social-connect/domain";
import type { Connection, StoredPost } from "../../world/state.ts";

/** A stored post as the API shows it at `now`. Its numbers are as old as the post. */
export function showContentItem(post: StoredPost, { provider, capabilities }: Connection, now: Date) {
  const { observedAt } = post;
  const metrics = post.metrics.map((metric) => ({ ...metric, observedAt }));
  return contentItemAsRead({ ...post, provider, metrics }, now, capabilities);
}
