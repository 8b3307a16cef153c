import { describe, expect, test } from "vitest";
import { DAY_MS } from "../shared/clock.ts";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";
import { createCatalogue } from "./catalogue.ts";
import { countsAt } from "./counts.ts";
import { generatePosts } from "./posts.ts";

const createdAt = new Date("2026-06-15T12:00:00.000Z");
const ordinary = createCatalogue()
  .all()
  .filter((account) => account.ordinary);

function since(posts: readonly { publishedAt: Date }[], days: number): number {
  return posts.filter((post) => post.publishedAt.getTime() > createdAt.getTime() - days * DAY_MS).length;
}

test("there are three ordinary accounts at each provider", () => {
  expect(ordinary.map((account) => account.provider).sort()).toEqual(PROVIDER_KEYS.flatMap((key) => [key, key, key]));
});

describe.each(ordinary.map((account) => [account.name, account] as const))("%s", (_name, account) => {
  const posts = generatePosts(account, { seed: "one", createdAt, anchor: createdAt });

  test("has dozens of posts, at least 25 of two months and 6 of the last week", () => {
    expect(posts.length).toBeGreaterThanOrEqual(40);
    expect(posts.length).toBeLessThanOrEqual(70);
    expect(since(posts, 60)).toBeGreaterThanOrEqual(25);
    expect(since(posts, 7)).toBeGreaterThanOrEqual(6);
    expect(since(posts, 90)).toBeLessThan(posts.length);
  });

  test("has private and deleted posts, and each id once", () => {
    const visibilities = new Set(posts.map((post) => post.visibility));
    expect([...visibilities]).toEqual(expect.arrayContaining(["public", "private", "deleted"]));
    expect(new Set(posts.map((post) => post.id)).size).toBe(posts.length);
  });

  test("publishes nothing in the future, and no two posts within the same second", () => {
    const times = posts.map((post) => post.publishedAt.getTime());
    expect(Math.max(...times)).toBeLessThanOrEqual(createdAt.getTime());
    expect(new Set(times).size).toBe(posts.length);
  });

  test("depends only on the seed", () => {
    expect(generatePosts(account, { seed: "one", createdAt, anchor: createdAt })).toEqual(posts);
    expect(generatePosts(account, { seed: "two", createdAt, anchor: createdAt })).not.toEqual(posts);
  });

  test("a later start adds posts and changes none", () => {
    const anchor = new Date(createdAt.getTime() + 10 * DAY_MS);
    const later = generatePosts(account, { seed: "one", createdAt, anchor });
    expect(later.length).toBeGreaterThan(posts.length + 8);
    expect(later.slice(-posts.length)).toEqual(posts);
  });

  test("counts only grow", () => {
    for (const post of posts.slice(0, 5)) {
      const early = countsAt(post, createdAt);
      const late = countsAt(post, new Date(createdAt.getTime() + DAY_MS));
      expect(late.views >= early.views && late.likes >= early.likes && early.views >= 0n).toBe(true);
    }
  });
});
