import type { MetricName } from "@social-connect/contract";
import {
  formOf,
  generatePosts,
  type PostForm,
  type PostSlot,
  PROVIDER_FIXTURES,
  popularityOf,
  type Random,
  randomFor,
  randomText,
  type SpecialCases,
  specialCases,
} from "@social-connect/provider-fixtures";
import type { PostChange, ProviderState, PublishedPost } from "../state/providerState.ts";
import { type Account, accountKey } from "./accounts.ts";
import { PROVIDERS } from "./providers.ts";
import { writePost } from "./texts.ts";

/** A post as its account publishes it. */
export interface Post extends Omit<SpecialCases, "withoutText" | "insights"> {
  /** `unreadable`: the provider fails for the post's numbers, or refuses to show it. */
  readonly insights: SpecialCases["insights"] | "unreadable";
  readonly id: string;
  /** The post's id in URLs of provider C. */
  readonly shortcode: string;
  readonly publishedAt: Date;
  readonly form: PostForm;
  readonly title: string | null;
  readonly text: string | null;
  /** The limits that the counts approach. */
  readonly popularity: Readonly<Record<MetricName, bigint>>;
  /** Counts that a test has set; they replace the growing ones. */
  readonly metrics: PostChange["metrics"];
}

/** The posts of every account, newest first. Generated posts are cached; changes of a test invalidate the merged list. */
export class PostRepository {
  readonly #seed: string;
  readonly #startedAt: Date;
  readonly #generated = new Map<string, readonly Post[]>();
  readonly #merged = new Map<string, readonly Post[]>();
  readonly #published = new WeakMap<PublishedPost, Post>();

  constructor(seed: string, startedAt: Date) {
    this.#seed = seed;
    this.#startedAt = startedAt;
  }

  of(account: Account, state: ProviderState): readonly Post[] {
    const key = accountKey(account.provider, account.name);
    const merged = this.#merged.get(key);
    if (merged !== undefined) return merged;
    const published = (state.published.get(key) ?? []).map((post) => this.#publishedOf(account, post));
    const changes = state.postChanges.get(key);
    const posts = [...published, ...this.#generatedOf(account, key)].map((post) => ({
      ...post,
      ...changes?.get(post.id),
    }));
    posts.sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
    const { brokenInsights, newestPostRefused } = account.script;
    const unread =
      brokenInsights || newestPostRefused ? posts.findIndex(({ visibility }) => visibility === "public") : -1;
    // Where a post has no insights, only the response for its id lacks it.
    const isHidden = account.script.hidesPostsById && PROVIDERS[account.provider].metrics.insightFields !== undefined;
    const shown = posts.map(
      (post, index): Post => (isHidden || index === unread ? { ...post, insights: "unreadable" } : post),
    );
    this.#merged.set(key, shown);
    return shown;
  }

  invalidate(account?: Account): void {
    if (account === undefined) this.#merged.clear();
    else this.#merged.delete(accountKey(account.provider, account.name));
  }

  #publishedOf(account: Account, post: PublishedPost): Post {
    const known = this.#published.get(post) ?? publishedPost(account, post);
    this.#published.set(post, known);
    return known;
  }

  #generatedOf(account: Account, key: string): readonly Post[] {
    const generated = this.#generated.get(key) ?? generate(account, this.#seed, this.#startedAt);
    this.#generated.set(key, generated);
    return generated;
  }
}

function generate(account: Account, seed: string, startedAt: Date): Post[] {
  const timeline = { createdAt: startedAt, anchor: startedAt };
  const randomOf = (...key: readonly (string | number)[]) => randomFor(seed, account.provider, account.name, ...key);
  return generatePosts(account, timeline, randomOf, (slot) => makePost(account, slot));
}

function makePost(account: Account, slot: PostSlot): Post {
  const { provider, script } = account;
  const { random, number, publishedAt } = slot;
  const fixtures = PROVIDER_FIXTURES[provider];
  const form = formOf({ ...fixtures, ...script }, random);
  const written = writePost(account, random, number);
  const { withoutText, ...special } = specialCases(slot, script, fixtures);
  return {
    id: PROVIDERS[provider].createPostId(random, publishedAt),
    shortcode: randomShortcode(random),
    publishedAt,
    form,
    title: withoutText ? null : written.title,
    text: withoutText ? null : written.text,
    ...special,
    popularity: popularity(account, random, number),
    metrics: undefined,
  };
}

function publishedPost(account: Account, post: PublishedPost): Post {
  const random = randomFor("published", account.provider, account.name, post.id);
  const { likesHidden = false, commentsOff = false } = account.script;
  return {
    ...post,
    visibility: "public",
    likesHidden,
    commentsOff,
    insights: "available",
    popularity: popularity(account, random, 1),
    metrics: undefined,
  };
}

export function randomShortcode(random: Random): string {
  return `D${randomText(random, 10)}`;
}

function popularity(account: Account, random: Random, number: number): Record<MetricName, bigint> {
  const { views, likes, comments, shares } = popularityOf(
    account,
    { random, number },
    PROVIDER_FIXTURES[account.provider],
  );
  return { VIEWS: views, LIKES: likes, COMMENTS: comments, SHARES: shares };
}

export function postUrl(account: Account, post: Pick<Post, "id" | "shortcode" | "form">): string {
  return PROVIDER_FIXTURES[account.provider].postUrl(post, account.handle);
}
