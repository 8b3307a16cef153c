import type { ProviderPost } from "./target.ts";

const HOUR_MS = 3_600_000;
/** No case reads further back for accounts with many posts. */
const CAUGHT_UP_MS = 62 * 24 * HOUR_MS;
/** Hours between two posts; others publish about daily. */
const BUSY: Readonly<Record<string, number>> = { "thousand-posts": 2, "list-lost-once": 2 };
/** Their posts are their own and created once, or they have none. */
const NOT_CAUGHT_UP = new Set([
  "cursor-returns",
  "cursor-rejected",
  "cursor-stuck",
  "list-lost",
  "repeated-posts",
  "hostile-text",
  "ten-thousand-posts",
  "many-uploads",
  "burst",
  "empty",
  "no-channel",
]);

/** What an account would have published since its newest post, on a target whose clock was moved. */
export async function missingPosts(name: string, postsOf: () => Promise<readonly ProviderPost[]>, now: Date) {
  if (NOT_CAUGHT_UP.has(name)) return [];
  const posts = await postsOf();
  const newestMs = Math.max(...posts.map((post) => Date.parse(post.publishedAt)));
  const gapMs = (BUSY[name] ?? 20) * HOUR_MS;
  if (posts.length === 0 || now.getTime() - newestMs < gapMs + 6 * HOUR_MS) return [];
  const firstMs = Math.max(newestMs + gapMs, now.getTime() - CAUGHT_UP_MS);
  const count = Math.max(0, Math.ceil((now.getTime() - HOUR_MS - firstMs) / gapMs));
  return Array.from({ length: count }, (_, index) => {
    const atMs = Math.floor((firstMs + index * gapMs) / 1_000) * 1_000;
    return { publishedAt: new Date(atMs).toISOString(), title: `Post ${index}` };
  });
}
