import { DAY_MS, HOUR_MS } from "../shared/clock.ts";
import type { SeededRandom } from "../shared/random.ts";
import { seededRandom } from "../shared/random.ts";
import type { Account } from "./account.ts";
import { shortcodeFor } from "./ids.ts";
import type { Counts, Post, PostForm, Visibility } from "./post.ts";
import type { AccountTraits } from "./traits.ts";
import { ACCOUNT_TRAITS } from "./traits.ts";
import { writeText } from "./writeText.ts";

export interface Timeline {
  readonly seed: string;
  /** The simulator's first start: so many posts lie before it as the account says. */
  readonly createdAt: Date;
  /** The latest start: nothing is published after it by itself. */
  readonly anchor: Date;
}

/** Old posts in front of the steady rhythm, so that no list ends at the edge of a window. */
const ARCHIVE_POSTS = 7;
const ARCHIVE_FROM_DAYS = 110;
const ARCHIVE_STEP_DAYS = 70;

/**
 * The posts of an account, newest first. Time is cut into slots of the account's own length and a slot holds one post,
 * made from the slot's number alone: a later start adds posts and changes none of the old ones.
 */
export function generatePosts(account: Account, timeline: Timeline): Post[] {
  if (account.postCount === 0) return [];
  const slotMs = account.postGapHours * HOUR_MS;
  const last = Math.floor(timeline.anchor.getTime() / slotMs);
  const first = Math.floor(timeline.createdAt.getTime() / slotMs) - account.postCount;
  const posts: Post[] = [];
  for (let slot = last; slot >= first; slot -= 1) {
    const random = seededRandom(timeline.seed, account.provider, account.name, slot);
    const publishedAt = wholeSecond(slot * slotMs + random.next() * slotMs * 0.9);
    if (publishedAt.getTime() <= timeline.anchor.getTime())
      posts.push(makePost(account, random, `${slot}`, slot, publishedAt));
  }
  return [...posts, ...archive(account, timeline)];
}

function archive(account: Account, timeline: Timeline): Post[] {
  return Array.from({ length: ARCHIVE_POSTS }, (_, index) => {
    const random = seededRandom(timeline.seed, account.provider, account.name, "archive", index);
    const daysBefore = ARCHIVE_FROM_DAYS + index * ARCHIVE_STEP_DAYS + random.next() * ARCHIVE_STEP_DAYS * 0.8;
    const publishedAt = wholeSecond(timeline.createdAt.getTime() - daysBefore * DAY_MS);
    return makePost(account, random, `archive-${index}`, index + 1, publishedAt);
  });
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1_000) * 1_000);
}

/** Every 40 posts each peculiarity comes once; the places in the cycle are arbitrary. */
const CYCLE = 40;
const PRIVATE_AT = 7;
const DELETED_AT = 13;
const UNLISTED_AT = 21;
const LIKES_HIDDEN_AT = 25;
const COMMENTS_OFF_AT = 29;
const NO_TEXT_AT = 33;
const FEW_VIEWERS_AT = 37;

function makePost(account: Account, random: SeededRandom, key: string, slot: number, publishedAt: Date): Post {
  const { script } = account;
  const traits = ACCOUNT_TRAITS[account.provider];
  const place = ((slot % CYCLE) + CYCLE) % CYCLE;
  const form = formOf(traits, random);
  const written = writeText(account, random, slot, form);
  const wordless = place === NO_TEXT_AT && traits.hasPostsWithoutText;
  return {
    id: traits.postId(account.name, key, publishedAt),
    shortcode: shortcodeFor(account.name, key),
    accountName: account.name,
    publishedAt,
    form,
    title: wordless ? null : written.title,
    text: wordless ? null : written.text,
    durationSeconds: durationOf(form, traits.hasBriefVideos, random),
    ...traits.size(form),
    visibility: visibilityOf(account, place),
    likesHidden: script.likesHidden ?? place === LIKES_HIDDEN_AT,
    commentsOff: script.commentsOff ?? place === COMMENTS_OFF_AT,
    sharesMissing: script.sharesMissing ?? false,
    metricsMissing: script.metricsMissing ?? false,
    insights: key === "archive-5" ? "before-professional" : place === FEW_VIEWERS_AT ? "too-few-viewers" : "given",
    popularity: popularityOf(account, random, slot),
    childCount: form === "carousel" ? random.int(2, 8) : 0,
  };
}

function formOf({ forms }: AccountTraits, random: SeededRandom): PostForm {
  const roll = random.next();
  return forms.find(([, upTo]) => roll < upTo)?.[0] ?? "video";
}

function visibilityOf(account: Account, place: number): Visibility {
  if (account.script.texts === "hostile") return "public";
  if (place === PRIVATE_AT) return "private";
  if (place === DELETED_AT) return "deleted";
  if (place === UNLISTED_AT && ACCOUNT_TRAITS[account.provider].hasUnlistedPosts) return "unlisted";
  return "public";
}

function durationOf(form: PostForm, brief: boolean, random: SeededRandom): number {
  if (form === "live") return random.int(2_400, 22_000);
  if (form === "video" && !brief) return random.int(140, 2_900);
  return random.int(6, 95);
}

/** Most posts do middling well, a few very well, and one in thirty is not noticed at all. */
function popularityOf(account: Account, random: SeededRandom, slot: number): Counts {
  if (account.script.texts === "hostile" && slot % 3 === 0) return beyondSafeIntegers(account);
  const luck = 10 ** ((random.next() + random.next() + random.next() - 1.5) * 1.3);
  const reached = random.chance(1 / 30) ? 0 : Math.round(account.followers * 0.6 * luck);
  const likes = Math.round(reached * (0.02 + random.next() * 0.08));
  const comments = Math.round(likes * (0.01 + random.next() * 0.07));
  const shares = Math.round(likes * (0.005 + random.next() * 0.1));
  const saved = Math.round(likes * (0.01 + random.next() * 0.15));
  return {
    views: BigInt(reached),
    likes: BigInt(likes),
    comments: BigInt(comments),
    shares: BigInt(shares),
    saved: BigInt(saved),
  };
}

/** All counts but the views stay in 32 bits, as documented. */
function beyondSafeIntegers(account: Account): Counts {
  const views = ACCOUNT_TRAITS[account.provider].mostViews;
  return { views, likes: 2_147_483_647n, comments: 2_147_483_646n, shares: 2_147_483_645n, saved: 1n };
}
