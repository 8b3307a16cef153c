import {
  formOf,
  generatePosts as generate,
  type PostForm,
  type PostSlot,
  type Timeline as PostTimeline,
  popularityOf,
  type Random,
  randomFor,
  specialCases,
  type Visibility,
} from "@social-connect/provider-fixtures";
import { fixturesOf } from "../shared/providerKeys.ts";
import type { Account, Post } from "./account.ts";
import { shortcodeFor } from "./ids.ts";
import { ACCOUNT_TRAITS } from "./traits.ts";
import { writeText } from "./writeText.ts";

/** Changes of posts through the control API, stored in the state file. */
export interface PostChanges {
  /** Keyed by `<provider> <account>`. */
  published: Record<string, PublishedPost[]>;
  /** Keyed by post id. */
  visibility: Record<string, Visibility>;
}

export interface PublishedPost {
  readonly key: string;
  readonly publishedAt: string;
  readonly form: PostForm;
  readonly title: string;
  readonly text: string;
}

/** The posts of all accounts, newest first, with the changes of the control API. */
export type Posts = ReturnType<typeof createPosts>;

export function createPosts(timeline: Timeline, initial: PostChanges = noChanges()) {
  let changes = initial;
  const cache = new Map<string, readonly Post[]>();

  const of = (account: Account): readonly Post[] => {
    const key = keyOf(account);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const extra = (changes.published[key] ?? []).map((published) => asPost(account, published));
    const posts = [...extra, ...generatePosts(account, timeline)]
      .map((post) => ({ ...post, visibility: changes.visibility[post.id] ?? post.visibility }))
      .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
    cache.set(key, posts);
    return posts;
  };

  return {
    of,
    byId: (account: Account, postId: string): Post | undefined => of(account).find((post) => post.id === postId),
    publish: (account: Account, published: PublishedPost): Post => {
      const key = keyOf(account);
      changes.published[key] = [...(changes.published[key] ?? []), published];
      cache.delete(key);
      return asPost(account, published);
    },
    setVisibility: (postId: string, visibility: Visibility): void => {
      changes.visibility[postId] = visibility;
      cache.clear();
    },
    changes: (): PostChanges => changes,
    /** Discards all changes, or replaces them with saved ones. */
    reset: (next?: PostChanges): void => {
      changes = next ?? noChanges();
      cache.clear();
    },
  };
}

export function isPublic({ visibility }: Post): boolean {
  return visibility === "public";
}

interface ScriptCounters {
  readonly counters: Record<string, number>;
}

/** A post's visibility for a grant: a script may remove the newest post once the grant has read it. */
export function visibilityFor(grant: ScriptCounters, account: Account, posts: readonly Post[], post: Post): Visibility {
  const { newestPost } = account.script;
  if (newestPost === undefined || (grant.counters.newestRead ?? 0) === 0) return post.visibility;
  const newest = posts.find(isPublic);
  if (newest?.id !== post.id) return post.visibility;
  return newestPost;
}

export function recordRead(
  grant: ScriptCounters,
  account: Account,
  posts: readonly Post[],
  given: readonly Post[],
): void {
  if (account.script.newestPost === undefined) return;
  const newest = posts.find(isPublic);
  if (given.some((post) => post.id === newest?.id)) grant.counters.newestRead = (grant.counters.newestRead ?? 0) + 1;
}

function asPost(account: Account, published: PublishedPost): Post {
  const publishedAt = new Date(published.publishedAt);
  const random = randomFor("published", account.name, published.key);
  const traits = ACCOUNT_TRAITS[account.provider];
  return {
    id: traits.postId(account.name, published.key, publishedAt),
    shortcode: shortcodeFor(account.name, published.key),
    accountName: account.name,
    publishedAt,
    form: published.form,
    title: published.title,
    text: published.text,
    durationSeconds: random.int(8, 90),
    ...traits.size(published.form),
    visibility: "public",
    likesHidden: account.script.likesHidden ?? false,
    commentsOff: account.script.commentsOff ?? false,
    sharesMissing: account.script.sharesMissing ?? false,
    metricsMissing: account.script.metricsMissing ?? false,
    insights: "available",
    popularity: popularityOf(account, { random, number: 1 }, fixturesOf(account.provider)),
    childCount: published.form === "carousel" ? 3 : 0,
  };
}

function keyOf(account: Account): string {
  return `${account.provider} ${account.name}`;
}

function noChanges(): PostChanges {
  return { published: {}, visibility: {} };
}

interface Timeline extends PostTimeline {
  readonly seed: string;
}

export function generatePosts(account: Account, timeline: Timeline): Post[] {
  const randomOf = (...key: readonly (string | number)[]) =>
    randomFor(timeline.seed, account.provider, account.name, ...key);
  return generate(account, timeline, randomOf, (slot) => makePost(account, slot));
}

function makePost(account: Account, slot: PostSlot): Post {
  const { name, script } = account;
  const { key, number, publishedAt, random } = slot;
  const traits = ACCOUNT_TRAITS[account.provider];
  const fixtures = fixturesOf(account.provider);
  const form = formOf({ ...fixtures, ...script }, random);
  const written = writeText(account, random, number);
  const { withoutText, ...special } = specialCases(slot, script, fixtures);
  return {
    id: traits.postId(name, key, publishedAt),
    shortcode: shortcodeFor(name, key),
    accountName: name,
    publishedAt,
    form,
    title: withoutText ? null : written.title,
    text: withoutText ? null : written.text,
    durationSeconds: durationOf(form, traits.hasBriefVideos, random),
    ...traits.size(form),
    ...special,
    sharesMissing: script.sharesMissing ?? false,
    metricsMissing: script.metricsMissing ?? false,
    popularity: popularityOf(account, slot, fixtures),
    childCount: form === "carousel" ? random.int(2, 8) : 0,
  };
}

function durationOf(form: PostForm, brief: boolean, random: Random): number {
  if (form === "live") return random.int(2_400, 22_000);
  if (form === "video" && !brief) return random.int(140, 2_900);
  return random.int(6, 95);
}
