import { type Popularity as Counts, grownCount } from "@social-connect/provider-fixtures";
import type { Post } from "./account.ts";

export function countsAt({ popularity, publishedAt }: Post, now: Date): Counts {
  const grown = Object.entries(popularity).map(([name, limit]) => [name, grownCount(limit, publishedAt, now)]);
  return Object.fromEntries(grown) as Counts;
}
