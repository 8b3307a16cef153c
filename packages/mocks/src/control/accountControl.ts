import type { MetricName, SocialProvider } from "@social-connect/contract";
import { METRIC_NAMES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { isDecimalCount } from "@social-connect/domain";
import { receiveDeauthorization } from "../modules/disconnect/receiveDeauthorization.ts";
import type { Account } from "../providers/accounts.ts";
import { accountKey, findAccount } from "../providers/accounts.ts";
import { inventForm, inventShortcode, postUrl } from "../providers/posts.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { scriptNames } from "../providers/scripts.ts";
import type { GrantEnd, PostChange, PostForm, Visibility } from "../state/providerState.ts";
import { endGrant } from "../upstream/grants.ts";
import { momentMs } from "../util/duration.ts";
import { MockMisuseError, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

/** A post of an account at a provider, whether or not anybody has read it. */
export interface AccountPost {
  /** The provider's post id. */
  readonly id: string;
  /** ISO 8601 in UTC, with milliseconds; always a whole second. */
  readonly publishedAt: string;
  /** Who may see it at the provider. */
  readonly visibility: Visibility;
  /** null where it has none, as at PROVIDER_C. */
  readonly title: string | null;
  /** Its description or caption; null where it has none. */
  readonly description: string | null;
  /** The address a person would copy. */
  readonly url: string;
}

/** What a new post is to be; what is left out follows from the seed. */
export interface NewPost {
  /** `A new post` by default; null for none. */
  readonly title?: string | null;
  /** The title by default; null for none. */
  readonly description?: string | null;
  /** Now by default. */
  readonly publishedAt?: Date | string | number;
  /** What the provider has of these: `video`, `short`, `live`, `image`, `carousel`, `reel`. */
  readonly form?: PostForm;
  /** Numbers in place of invented ones; null for one that the owner hides. */
  readonly metrics?: Readonly<Partial<Record<MetricName, string | null>>>;
}

/** How a person removed the application. */
export interface RemoveAppOptions {
  /** When; now by default. */
  readonly at?: Date | string | number;
}

const GRANT_ENDS = ["revoked", "removed-app", "password-changed", "expired"] as const;
const NEW_POST = { title: "text?", description: "text?", publishedAt: "any", form: "text", metrics: "record" } as const;
const POST_CHANGE = {
  visibility: ["public", "unlisted", "private", "deleted"],
  title: "text?",
  text: "text?",
  metrics: "record",
} as const satisfies Record<keyof PostChange, unknown>;

function checkMetrics(metrics: NewPost["metrics"] = {}): void {
  for (const [name, value] of Object.entries(metrics)) {
    oneOf(name, METRIC_NAMES, "name of a number");
    if (value === null || (typeof value === "string" && isDecimalCount(value))) continue;
    throw new MockMisuseError(`${name} is a whole number as text, 0 or more, or null for one that is hidden.`);
  }
}

/** The account of a name. Throws when the provider knows no such script, or no account can have the name. */
export function accountFor(provider: SocialProvider, name: string): Account {
  oneOf(provider, SOCIAL_PROVIDERS, "provider");
  const account = typeof name === "string" ? findAccount(provider, name) : null;
  if (account !== null) return account;
  throw new MockMisuseError(
    `There is no account ${JSON.stringify(name)} at ${provider}. Any name of letters, digits, dots and hyphens will do; scripted are: ${scriptNames(provider).join(", ")}.`,
  );
}

/** An account at a provider: what it publishes, and what becomes of the grants it gave. */
export class AccountControl {
  readonly #world: World;
  readonly #account: Account;

  constructor(world: World, provider: SocialProvider, name: string) {
    this.#world = world;
    this.#account = accountFor(provider, name);
  }

  /** The provider's own id of it. */
  get id(): string {
    return this.#account.accountId;
  }

  /** The name under which it consented. */
  get name(): string {
    return this.#account.name;
  }

  /** Newest first. */
  posts(): AccountPost[] {
    return this.#world.posts.of(this.#account, this.#world.state.providers).map((post) => ({
      id: post.id,
      publishedAt: post.publishedAt.toISOString(),
      visibility: post.visibility,
      title: post.title,
      description: post.text,
      url: postUrl(this.#account, post),
    }));
  }

  /** Publishes a post. The service sees it at its next scan. */
  publish(post: NewPost = {}): AccountPost {
    fieldsOf(post, NEW_POST);
    checkMetrics(post.metrics);
    const { provider } = this.#account;
    const { random, state } = this.#world;
    const { createId, forms: chances } = PROVIDERS[provider].posts;
    const forms = chances.map(({ form }) => form);
    const form =
      post.form === undefined ? inventForm(provider, random) : oneOf(post.form, forms, `form of a post at ${provider}`);
    const publishedMs = post.publishedAt === undefined ? this.#world.nowMs() : momentMs(post.publishedAt);
    // Providers tell whole seconds.
    const publishedAt = new Date(Math.floor(publishedMs / 1_000) * 1_000);
    const id = createId(random, publishedAt);
    const title = post.title === undefined ? "A new post" : post.title;
    const text = post.description === undefined ? title : post.description;
    const key = accountKey(provider, this.name);
    const published = state.providers.published.get(key) ?? [];
    published.push({ id, shortcode: inventShortcode(random), publishedAt, form, title, text });
    state.providers.published.set(key, published);
    if (post.metrics !== undefined) this.#change(id, { metrics: post.metrics });
    return this.#shown(id);
  }

  /** Changes a post: its visibility, its texts, its numbers. The service sees it when it reads the post again. */
  change(postId: string, change: PostChange): AccountPost {
    fieldsOf(change, POST_CHANGE);
    checkMetrics(change.metrics);
    this.#shown(postId);
    this.#change(postId, change);
    return this.#shown(postId);
  }

  /** Every grant of the account ends at the provider, and the service is not told. */
  endGrants(cause: GrantEnd = "password-changed"): void {
    oneOf(cause, GRANT_ENDS, "end of a grant");
    this.#endGrants(cause, this.#world.nowMs());
  }

  /**
   * The person removes the application at the provider, or removed it at an earlier moment (`at`); consents that were given
   * since stay. PROVIDER_C's message reaches the service now; the other providers send none.
   */
  removeApp(options: RemoveAppOptions = {}): void {
    const { at } = fieldsOf(options, { at: "any" });
    const removedMs = at === undefined ? this.#world.nowMs() : momentMs(at as Date | string | number);
    if (removedMs > this.#world.nowMs()) throw new MockMisuseError("The moment of a removal lies in the mock's past.");
    this.#endGrants("removed-app", removedMs);
    if (PROVIDERS[this.#account.provider].reportsRemovedApp)
      receiveDeauthorization(this.#world, this.#account, new Date(removedMs));
  }

  #endGrants(cause: GrantEnd, givenUntilMs: number): void {
    for (const grant of this.#world.state.providers.grants.values()) {
      if (grant.provider !== this.#account.provider || grant.account !== this.name) continue;
      if (grant.createdAt.getTime() <= givenUntilMs) endGrant(grant, cause);
    }
  }

  #change(postId: string, change: PostChange): void {
    const { postChanges } = this.#world.state.providers;
    const key = accountKey(this.#account.provider, this.name);
    const changes = postChanges.get(key) ?? new Map<string, PostChange>();
    changes.set(postId, { ...changes.get(postId), ...change });
    postChanges.set(key, changes);
    this.#world.posts.forget(this.#account);
  }

  #shown(postId: string): AccountPost {
    this.#world.posts.forget(this.#account);
    const posts = this.posts();
    const post = posts.find((one) => one.id === postId);
    if (post !== undefined) return post;
    const newest = posts.slice(0, 5).map(({ id }) => id);
    throw new MockMisuseError(
      `The account ${this.name} has no post ${JSON.stringify(postId)}. Its newest: ${newest.join(", ") || "none"}.`,
    );
  }
}
