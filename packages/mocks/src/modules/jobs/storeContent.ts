import { DELETED_CONTENT, isInsideWindow, NOT_GIVEN_METRIC, storableContent } from "@social-connect/domain";
import type { Observed } from "../../state/jobRun.ts";
import type { StoredPost } from "../../state/state.ts";
import type { World } from "../../world/world.ts";

/** Stores posts. An older observation never replaces a newer one; without CONTENT_METRICS, no metrics are stored. */
export function storeObserved(
  world: World,
  connectionId: string,
  observed: readonly Observed[],
  withMetrics: boolean,
): void {
  if (observed.length === 0) return;
  const posts = postsOf(world, connectionId);
  for (const { item, observedAt } of observed) {
    const stored = posts.get(item.providerContentId);
    if (stored !== undefined && stored.observedAt > observedAt) continue;
    posts.set(item.providerContentId, {
      ...item,
      ...storableContent(item),
      publishedAt: item.publishedAt ?? stored?.publishedAt ?? null,
      metrics: withMetrics ? item.metrics : [],
      id: stored?.id ?? world.newId(),
      observedAt,
    });
  }
}

/** Deletes the content of posts that the provider no longer has and marks them as deleted. */
export function markDeleted(world: World, connectionId: string, ids: readonly string[]): void {
  const observedAt = world.now();
  const posts = postsOf(world, connectionId);
  for (const id of ids) {
    const stored = posts.get(id);
    if (stored === undefined) continue;
    posts.set(id, { ...stored, ...DELETED_CONTENT, observedAt });
  }
}

/** Marks the numbers of posts as not given; what was read of the posts before stays. */
export function discardMetrics(world: World, connectionId: string, ids: readonly string[]): void {
  const metricsObservedAt = world.now();
  const posts = postsOf(world, connectionId);
  for (const id of ids) {
    const stored = posts.get(id);
    if (stored === undefined) continue;
    const metrics = stored.metrics.map((metric) =>
      metric.availability === "AVAILABLE" ? { ...metric, ...NOT_GIVEN_METRIC } : metric,
    );
    posts.set(id, { ...stored, metrics, metricsObservedAt });
  }
}

export function isObserved(world: World, connectionId: string, providerContentId: string): boolean {
  return world.state.content.get(connectionId)?.has(providerContentId) ?? false;
}

/** Stored posts of a window that a complete scan did not return, newest first. */
export function unseenPosts(
  world: World,
  connectionId: string,
  posts: {
    readonly publishedAfter: Date;
    readonly publishedBefore: Date;
    /** Start of the scan, or of the chain of scans, that covered the window. */
    readonly since: Date;
    readonly seen: readonly string[];
    readonly limit: number;
  },
): string[] {
  const seen = new Set(posts.seen);
  return storedPosts(world, connectionId, posts)
    .filter((post) => post.observedAt < posts.since && post.availability === "AVAILABLE")
    .map((post) => post.providerContentId)
    .filter((id) => !seen.has(id))
    .slice(0, posts.limit);
}

/** The stored posts of a connection, newest first, ties broken by id; of a window of publication times, if one is given. */
export function storedPosts(
  world: World,
  connectionId: string,
  window: { readonly publishedAfter: Date; readonly publishedBefore: Date } | null = null,
): StoredPost[] {
  const timeOf = ({ publishedAt }: StoredPost) => publishedAt?.getTime() ?? 0;
  return [...(world.state.content.get(connectionId)?.values() ?? [])]
    .filter(({ publishedAt }) => window === null || (publishedAt !== null && isInsideWindow(publishedAt, window)))
    .sort((one, other) => timeOf(other) - timeOf(one) || (one.id < other.id ? 1 : -1));
}

function postsOf(world: World, connectionId: string): Map<string, StoredPost> {
  const posts = world.state.content.get(connectionId) ?? new Map<string, StoredPost>();
  world.state.content.set(connectionId, posts);
  return posts;
}
