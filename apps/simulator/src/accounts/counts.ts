import type { Popularity as Counts } from "@social-connect/provider-fixtures";
import { HOUR_MS } from "../shared/clock.ts";
import type { Post } from "./account.ts";

/** Hours after which a post has about two thirds of its final counts. */
const GROWTH_HOURS = 60;

/** A post's counts at `now`. They start near zero and only grow. */
export function countsAt(post: Post, now: Date): Counts {
  const ageHours = Math.max(0, now.getTime() - post.publishedAt.getTime()) / HOUR_MS;
  const grown = 1 - Math.exp(-ageHours / GROWTH_HOURS);
  const millionths = BigInt(Math.floor(grown * 1_000_000));
  const at = (final: bigint): bigint => (final * millionths) / 1_000_000n;
  return {
    views: at(post.popularity.views),
    likes: at(post.popularity.likes),
    comments: at(post.popularity.comments),
    shares: at(post.popularity.shares),
    saved: at(post.popularity.saved),
  };
}
