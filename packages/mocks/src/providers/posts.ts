import type { MetricName, SocialProvider } from "@social-connect/contract";
import type { PostChange, PostForm, ProviderState, PublishedPost, Visibility } from "../state/providerState.ts";
import type { Random } from "../util/random.ts";
import { randomFor, randomText } from "../util/random.ts";
import type { Account } from "./accounts.ts";
import { accountKey } from "./accounts.ts";
import { PROVIDERS } from "./providers.ts";
import { writePost } from "./texts.ts";

/** A post as its account publishes it. */
export interface Post {
  readonly id: string;
  /** The post's id in URLs of provider C. */
  readonly shortcode: string;
  readonly publishedAt: Date;
  readonly form: PostForm;
  readonly title: string | null;
  readonly text: string | null;
  readonly visibility: Visibility;
  readonly likesHidden: boolean;
  readonly commentsOff: boolean;
  /** Provider C has no insights for some posts. */
  readonly insights: "available" | "too-few-viewers" | "before-professional";
  /** The limits that the counts approach. */
  readonly popularity: Readonly<Record<MetricName, bigint>>;
  /** Counts that a test has set; they replace the growing ones. */
  readonly metrics: PostChange["metrics"];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Older posts before the regular ones, so that a listing continues beyond a window. */
const ARCHIVE_POSTS = 7;
const ARCHIVE_FROM_DAYS = 110;
const ARCHIVE_STEP_DAYS = 70;

/** The posts of every account, newest first. Generated posts are cached; changes of a test invalidate the merged list. */
export class PostRepository {
  readonly #seed: string;
  readonly #startedAt: Date;
  readonly #generated = new Map<string, readonly Post[]>();
  readonly #merged = new Map<string, readonly Post[]>();

  constructor(seed: string, startedAt: Date) {
    this.#seed = seed;
    this.#startedAt = startedAt;
  }

  of(account: Account, state: ProviderState): readonly Post[] {
    const key = accountKey(account.provider, account.name);
    const merged = this.#merged.get(key);
    if (merged !== undefined) return merged;
    const published = (state.published.get(key) ?? []).map((post) => publishedPost(account, post));
    const changes = state.postChanges.get(key);
    const posts = [...published, ...this.#generatedOf(account, key)].map((post) =>
      changed(post, changes?.get(post.id)),
    );
    posts.sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
    this.#merged.set(key, posts);
    return posts;
  }

  /** Invalidates an account's posts, or all posts. */
  invalidate(account?: Account): void {
    if (account === undefined) this.#merged.clear();
    else this.#merged.delete(accountKey(account.provider, account.name));
  }

  #generatedOf(account: Account, key: string): readonly Post[] {
    const generated = this.#generated.get(key) ?? generatePosts(account, this.#seed, this.#startedAt);
    this.#generated.set(key, generated);
    return generated;
  }
}

/** Divides time into slots of the account's length and generates one post for each slot from the slot's number. */
function generatePosts(account: Account, seed: string, startedAt: Date): Post[] {
  if (account.postCount === 0) return [];
  const slotMs = account.postGapHours * HOUR_MS;
  const last = Math.floor(startedAt.getTime() / slotMs);
  const posts: Post[] = [];
  for (let slot = last; slot >= last - account.postCount; slot -= 1) {
    const random = randomFor(seed, account.provider, account.name, slot);
    const publishedAt = wholeSecond(slot * slotMs + random.fraction() * slotMs * 0.9);
    if (publishedAt <= startedAt) posts.push(generatePost(account, random, slot, publishedAt));
  }
  for (let index = 0; index < ARCHIVE_POSTS; index += 1) {
    const random = randomFor(seed, account.provider, account.name, "archive", index);
    const daysBefore = ARCHIVE_FROM_DAYS + (index + random.fraction() * 0.8) * ARCHIVE_STEP_DAYS;
    const publishedAt = wholeSecond(startedAt.getTime() - daysBefore * DAY_MS);
    posts.push({
      ...generatePost(account, random, index + 1, publishedAt),
      insights: index === 5 ? "before-professional" : "available",
    });
  }
  return posts;
}

/** Each special case occurs once in 40 posts, at an arbitrary index of the cycle. */
const CYCLE = 40;
const PLACES = {
  private: 7,
  deleted: 13,
  unlisted: 21,
  likesHidden: 25,
  commentsOff: 29,
  withoutText: 33,
  fewViewers: 37,
};

function generatePost(account: Account, random: Random, slot: number, publishedAt: Date): Post {
  const { provider, script } = account;
  const place = ((slot % CYCLE) + CYCLE) % CYCLE;
  const form = randomForm(provider, random);
  const written = writePost(account, random, slot);
  const withoutText = place === PLACES.withoutText && !PROVIDERS[provider].posts.requiresText;
  return {
    id: PROVIDERS[provider].posts.createId(random, publishedAt),
    shortcode: randomShortcode(random),
    publishedAt,
    form,
    title: withoutText ? null : written.title,
    text: withoutText ? null : written.text,
    visibility: generateVisibility(account, place),
    likesHidden: script.likesHidden ?? place === PLACES.likesHidden,
    commentsOff: script.commentsOff ?? place === PLACES.commentsOff,
    insights: place === PLACES.fewViewers ? "too-few-viewers" : "available",
    popularity: generatePopularity(account, random, slot),
    metrics: undefined,
  };
}

function publishedPost(account: Account, post: PublishedPost): Post {
  const random = randomFor("published", account.provider, account.name, post.id);
  const { likesHidden = false, commentsOff = false } = account.script;
  const popularity = generatePopularity(account, random, 1);
  return {
    ...post,
    visibility: "public",
    likesHidden,
    commentsOff,
    insights: "available",
    popularity,
    metrics: undefined,
  };
}

function changed(post: Post, change: PostChange | undefined): Post {
  return change === undefined ? post : { ...post, ...change };
}

export function randomForm(provider: SocialProvider, random: Random): PostForm {
  const roll = random.fraction();
  const { forms } = PROVIDERS[provider].posts;
  return forms.find(({ below }) => roll < below)?.form ?? "video";
}

export function randomShortcode(random: Random): string {
  return `D${randomText(random, 10)}`;
}

function generateVisibility({ provider, script }: Account, place: number): Visibility {
  if (script.texts === "hostile") return "public";
  if (place === PLACES.private) return "private";
  if (place === PLACES.deleted) return "deleted";
  return place === PLACES.unlisted && PROVIDERS[provider].posts.hasUnlisted ? "unlisted" : "public";
}

/** Most posts have average counts, a few have high ones, and one in thirty has no views. */
function generatePopularity(account: Account, random: Random, slot: number): Record<MetricName, bigint> {
  if (account.script.texts === "hostile" && slot % 3 === 0) return beyondSafeIntegers(account.provider);
  const luck = (random.fraction() + random.fraction() + random.fraction()) ** 3;
  const views = random.int(1, 30) === 1 ? 0 : Math.round(account.followers * 0.3 * luck);
  const likes = Math.round(views * (0.02 + random.fraction() * 0.08));
  const comments = Math.round(likes * (0.01 + random.fraction() * 0.07));
  const shares = Math.round(likes * (0.005 + random.fraction() * 0.1));
  return { VIEWS: BigInt(views), LIKES: BigInt(likes), COMMENTS: BigInt(comments), SHARES: BigInt(shares) };
}

function beyondSafeIntegers(provider: SocialProvider): Record<MetricName, bigint> {
  const VIEWS = PROVIDERS[provider].posts.largestViewCount;
  return { VIEWS, LIKES: 2_147_483_647n, COMMENTS: 2_147_483_646n, SHARES: 2_147_483_645n };
}

/** Hours until a post has half of its views. */
const HALF_GROWN_HOURS = 48n;

/** A count at `now`: it starts near 0 and only grows. */
export function countAt(post: Post, name: MetricName, now: Date): bigint {
  const ageMs = BigInt(Math.max(0, now.getTime() - post.publishedAt.getTime()));
  return (post.popularity[name] * ageMs) / (ageMs + HALF_GROWN_HOURS * BigInt(HOUR_MS));
}

/** The URL of the post for people. */
export function postUrl(account: Account, post: Pick<Post, "id" | "shortcode" | "form">): string {
  return PROVIDERS[account.provider].posts.url(post, account.handle);
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1_000) * 1_000);
}
