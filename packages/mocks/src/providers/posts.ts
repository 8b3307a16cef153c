import type { MetricName, SocialProvider } from "@social-connect/contract";
import type { PostChange, PostForm, ProviderState, PublishedPost, Visibility } from "../state/providerState.ts";
import type { Random } from "../util/random.ts";
import { randomFor, randomText } from "../util/random.ts";
import type { Account } from "./accounts.ts";
import { accountKey } from "./accounts.ts";
import { PROVIDERS } from "./providers.ts";
import { writePost } from "./texts.ts";

/** A post as its account holds it, before anybody reads it. */
export interface Post {
  readonly id: string;
  /** Provider C's name of the post in addresses. */
  readonly shortcode: string;
  readonly publishedAt: Date;
  readonly form: PostForm;
  readonly title: string | null;
  readonly text: string | null;
  readonly visibility: Visibility;
  readonly likesHidden: boolean;
  readonly commentsOff: boolean;
  /** Provider C gives no numbers at all for some posts. */
  readonly insights: "given" | "too-few-viewers" | "before-professional";
  /** What the counts grow towards. */
  readonly popularity: Readonly<Record<MetricName, bigint>>;
  /** Numbers that a test has set, in place of those that grow. */
  readonly metrics: PostChange["metrics"];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Old posts in front of the steady rhythm, so that no list ends at the edge of a window. */
const ARCHIVE_POSTS = 7;
const ARCHIVE_FROM_DAYS = 110;
const ARCHIVE_STEP_DAYS = 70;

/** The posts of every account, newest first. What is invented is kept; what a test changes is looked at each time it changes. */
export class PostRepository {
  readonly #seed: string;
  readonly #startedAt: Date;
  readonly #invented = new Map<string, readonly Post[]>();
  readonly #shown = new Map<string, readonly Post[]>();

  constructor(seed: string, startedAt: Date) {
    this.#seed = seed;
    this.#startedAt = startedAt;
  }

  of(account: Account, state: ProviderState): readonly Post[] {
    const key = accountKey(account.provider, account.name);
    const shown = this.#shown.get(key);
    if (shown !== undefined) return shown;
    const published = (state.published.get(key) ?? []).map((post) => publishedPost(account, post));
    const changes = state.postChanges.get(key);
    const posts = [...published, ...this.#inventedOf(account, key)].map((post) => changed(post, changes?.get(post.id)));
    posts.sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
    this.#shown.set(key, posts);
    return posts;
  }

  /** To be called when the account's posts were changed; without an account, when all of them may have been. */
  forget(account?: Account): void {
    if (account === undefined) this.#shown.clear();
    else this.#shown.delete(accountKey(account.provider, account.name));
  }

  #inventedOf(account: Account, key: string): readonly Post[] {
    const invented = this.#invented.get(key) ?? inventPosts(account, this.#seed, this.#startedAt);
    this.#invented.set(key, invented);
    return invented;
  }
}

/** Time is cut into slots of the account's own length, and each holds one post, made from the slot's number alone. */
function inventPosts(account: Account, seed: string, startedAt: Date): Post[] {
  if (account.postCount === 0) return [];
  const slotMs = account.postGapHours * HOUR_MS;
  const last = Math.floor(startedAt.getTime() / slotMs);
  const posts: Post[] = [];
  for (let slot = last; slot >= last - account.postCount; slot -= 1) {
    const random = randomFor(seed, account.provider, account.name, slot);
    const publishedAt = wholeSecond(slot * slotMs + random.fraction() * slotMs * 0.9);
    if (publishedAt <= startedAt) posts.push(inventPost(account, random, slot, publishedAt));
  }
  for (let index = 0; index < ARCHIVE_POSTS; index += 1) {
    const random = randomFor(seed, account.provider, account.name, "archive", index);
    const daysBefore = ARCHIVE_FROM_DAYS + (index + random.fraction() * 0.8) * ARCHIVE_STEP_DAYS;
    const publishedAt = wholeSecond(startedAt.getTime() - daysBefore * DAY_MS);
    posts.push({
      ...inventPost(account, random, index + 1, publishedAt),
      insights: index === 5 ? "before-professional" : "given",
    });
  }
  return posts;
}

/** Every 40 posts each peculiarity comes once; the places in the cycle are arbitrary. */
const CYCLE = 40;
const PLACES = {
  private: 7,
  deleted: 13,
  unlisted: 21,
  likesHidden: 25,
  commentsOff: 29,
  wordless: 33,
  fewViewers: 37,
};

function inventPost(account: Account, random: Random, slot: number, publishedAt: Date): Post {
  const { provider, script } = account;
  const place = ((slot % CYCLE) + CYCLE) % CYCLE;
  const form = inventForm(provider, random);
  const written = writePost(account, random, slot);
  const wordless = place === PLACES.wordless && !PROVIDERS[provider].posts.requiresText;
  return {
    id: PROVIDERS[provider].posts.createId(random, publishedAt),
    shortcode: inventShortcode(random),
    publishedAt,
    form,
    title: wordless ? null : written.title,
    text: wordless ? null : written.text,
    visibility: inventVisibility(account, place),
    likesHidden: script.likesHidden ?? place === PLACES.likesHidden,
    commentsOff: script.commentsOff ?? place === PLACES.commentsOff,
    insights: place === PLACES.fewViewers ? "too-few-viewers" : "given",
    popularity: inventPopularity(account, random, slot),
    metrics: undefined,
  };
}

function publishedPost(account: Account, post: PublishedPost): Post {
  const random = randomFor("published", account.provider, account.name, post.id);
  const { likesHidden = false, commentsOff = false } = account.script;
  const popularity = inventPopularity(account, random, 1);
  return { ...post, visibility: "public", likesHidden, commentsOff, insights: "given", popularity, metrics: undefined };
}

function changed(post: Post, change: PostChange | undefined): Post {
  return change === undefined ? post : { ...post, ...change };
}

export function inventForm(provider: SocialProvider, random: Random): PostForm {
  const roll = random.fraction();
  const { forms } = PROVIDERS[provider].posts;
  return forms.find(({ below }) => roll < below)?.form ?? "video";
}

export function inventShortcode(random: Random): string {
  return `D${randomText(random, 10)}`;
}

function inventVisibility({ provider, script }: Account, place: number): Visibility {
  if (script.texts === "hostile") return "public";
  if (place === PLACES.private) return "private";
  if (place === PLACES.deleted) return "deleted";
  return place === PLACES.unlisted && PROVIDERS[provider].posts.hasUnlisted ? "unlisted" : "public";
}

/** Most posts do middling well, a few very well, and one in thirty is not noticed at all. */
function inventPopularity(account: Account, random: Random, slot: number): Record<MetricName, bigint> {
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

/** Hours after which a post has found half of its viewers. */
const HALF_GROWN_HOURS = 48n;

/** What a post's counters read at `now`: they only grow, and a new post starts near nothing. */
export function countAt(post: Post, name: MetricName, now: Date): bigint {
  const ageMs = BigInt(Math.max(0, now.getTime() - post.publishedAt.getTime()));
  return (post.popularity[name] * ageMs) / (ageMs + HALF_GROWN_HOURS * BigInt(HOUR_MS));
}

/** The address a person would copy. */
export function postUrl(account: Account, post: Pick<Post, "id" | "shortcode" | "form">): string {
  return PROVIDERS[account.provider].posts.url(post, account.handle);
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1_000) * 1_000);
}
