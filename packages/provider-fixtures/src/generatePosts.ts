import type { AccountScript } from "./accountScript.ts";
import type { PostForm, ProviderFixtures, Visibility } from "./providerFixtures.ts";
import type { Random } from "./random.ts";

export interface Timeline {
  /** The first start; the account's `postCount` posts are published before it. */
  readonly createdAt: Date;
  /** The latest start; no generated post is published after it. */
  readonly anchor: Date;
}

export interface PostSlot {
  /** Unique among the posts of an account. */
  readonly key: string;
  readonly number: number;
  readonly publishedAt: Date;
  readonly random: Random;
}

interface Publisher {
  readonly postCount: number;
  readonly postGapHours: number;
  readonly script: Pick<AccountScript, "postsPerSecond">;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Older posts, so that no list ends at the edge of a window. */
const ARCHIVE_POSTS = 7;
const ARCHIVE_FROM_DAYS = 110;
const ARCHIVE_STEP_DAYS = 70;

/**
 * The posts of an account, newest first. Time is divided into slots with one post each, which depends only on the slot's
 * number: a later start adds posts and changes no existing one.
 */
export function generatePosts<Post>(
  { postCount, postGapHours, script: { postsPerSecond } }: Publisher,
  { createdAt, anchor }: Timeline,
  randomOf: (...key: readonly (string | number)[]) => Random,
  makePost: (slot: PostSlot) => Post,
): Post[] {
  if (postCount === 0) return [];
  if (postsPerSecond !== undefined) {
    const latest = wholeSecond(createdAt.getTime() - DAY_MS).getTime();
    return Array.from({ length: postCount }, (_, index) => {
      const publishedAt = new Date(latest - Math.floor(index / postsPerSecond) * 1_000);
      return makePost({ key: `burst-${index}`, number: BURST_NUMBER, publishedAt, random: randomOf("burst", index) });
    });
  }
  const slotMs = postGapHours * HOUR_MS;
  const first = Math.floor(createdAt.getTime() / slotMs) - postCount;
  const posts: Post[] = [];
  for (let number = Math.floor(anchor.getTime() / slotMs); number >= first; number -= 1) {
    const random = randomOf(number);
    const publishedAt = wholeSecond(number * slotMs + random.fraction() * slotMs * 0.9);
    if (publishedAt <= anchor) posts.push(makePost({ key: `${number}`, number, publishedAt, random }));
  }
  for (let index = 0; index < ARCHIVE_POSTS; index += 1) {
    const random = randomOf("archive", index);
    const daysBefore = ARCHIVE_FROM_DAYS + (index + random.fraction() * 0.8) * ARCHIVE_STEP_DAYS;
    const publishedAt = wholeSecond(createdAt.getTime() - daysBefore * DAY_MS);
    posts.push(makePost({ key: `archive-${index}`, number: index + 1, publishedAt, random }));
  }
  return posts;
}

export function formOf({ forms }: Pick<ProviderFixtures, "forms">, random: Random): PostForm {
  const roll = random.fraction();
  return forms.find(([, upTo]) => roll < upTo)?.[0] ?? "video";
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1_000) * 1_000);
}

/** Each special case occurs once in 40 posts, at an arbitrary position. */
const CYCLE = 40;
/** The place of a post without a special case. */
const BURST_NUMBER = 1;
const PLACES = {
  private: 7,
  deleted: 13,
  unlisted: 21,
  likesHidden: 25,
  commentsOff: 29,
  withoutText: 33,
  fewViewers: 37,
};

export interface SpecialCases {
  readonly visibility: Visibility;
  readonly likesHidden: boolean;
  readonly commentsOff: boolean;
  readonly withoutText: boolean;
  /** Provider C has no insights for some posts. */
  readonly insights: "available" | "too-few-viewers" | "before-professional";
}

/** What is special about the post in a slot. */
export function specialCases(
  { key, number }: Pick<PostSlot, "key" | "number">,
  { texts, likesHidden, commentsOff }: Pick<AccountScript, "likesHidden" | "commentsOff"> & { readonly texts?: string },
  { hasUnlistedPosts, hasPostsWithoutText }: ProviderFixtures,
): SpecialCases {
  const place = ((number % CYCLE) + CYCLE) % CYCLE;
  const hidden =
    place === PLACES.private
      ? "private"
      : place === PLACES.deleted
        ? "deleted"
        : place === PLACES.unlisted && hasUnlistedPosts
          ? "unlisted"
          : "public";
  const fewViewers = place === PLACES.fewViewers ? "too-few-viewers" : "available";
  return {
    visibility: texts === "hostile" ? "public" : hidden,
    likesHidden: likesHidden ?? place === PLACES.likesHidden,
    commentsOff: commentsOff ?? place === PLACES.commentsOff,
    withoutText: place === PLACES.withoutText && hasPostsWithoutText,
    insights: key === "archive-5" ? "before-professional" : fewViewers,
  };
}

/** Hours until a count has half of its limit. */
const HALF_GROWN_HOURS = 48;

/** A count of a post at `now`: it starts near 0 and only grows. */
export function grownCount(limit: bigint, publishedAt: Date, now: Date): bigint {
  const ageMs = BigInt(Math.max(0, now.getTime() - publishedAt.getTime()));
  return (limit * ageMs) / (ageMs + BigInt(HALF_GROWN_HOURS * HOUR_MS));
}

export type Popularity = ReturnType<typeof popularityOf>;

/** Most posts have average counts, a few high ones, and one in thirty none. */
export function popularityOf(
  { followers, script }: { readonly followers: number; readonly script: { readonly texts?: string } },
  { random, number }: Pick<PostSlot, "random" | "number">,
  { largestViewCount }: ProviderFixtures,
) {
  if (script.texts === "hostile" && number % 3 === 0) {
    // All counts except views fit into 32 bits, as documented.
    return {
      views: largestViewCount,
      likes: 2_147_483_647n,
      comments: 2_147_483_646n,
      shares: 2_147_483_645n,
      saved: 1n,
    };
  }
  const luck = 10 ** ((random.fraction() + random.fraction() + random.fraction() - 1.5) * 1.3);
  const views = random.fraction() < 1 / 30 ? 0 : Math.round(followers * 0.6 * luck);
  const likes = Math.round(views * (0.02 + random.fraction() * 0.08));
  const share = (least: number, range: number) => BigInt(Math.round(likes * (least + random.fraction() * range)));
  return {
    views: BigInt(views),
    likes: BigInt(likes),
    comments: share(0.01, 0.07),
    shares: share(0.005, 0.1),
    saved: share(0.01, 0.15),
  };
}
