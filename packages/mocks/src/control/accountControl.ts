import { METRIC_NAMES, type MetricName, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { isDecimalCount, providerSlug } from "@social-connect/domain";
import { formOf, PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import { receiveDataDeletion, receiveDeauthorization } from "../modules/disconnect/receiveMessages.ts";
import { type Account, accountKey, findAccount } from "../providers/accounts.ts";
import { type Post, postUrl, randomShortcode } from "../providers/posts.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { scriptNames } from "../providers/scripts.ts";
import type { GrantEnd } from "../state/providerCall.ts";
import type { PostChange, PostForm, PublishedPost, Visibility } from "../state/providerState.ts";
import { endGrant } from "../upstream/grants.ts";
import { timeMs } from "../util/duration.ts";
import { MockMisuseError, oneOf, shown } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

/** A post of an account at a provider, whether or not the service has read it. */
export interface AccountPost {
  /** The provider's post id. */
  readonly id: string;
  /** ISO 8601 in UTC, with milliseconds, which are always 0. */
  readonly publishedAt: string;
  /** Who may see it at the provider. */
  readonly visibility: Visibility;
  /** null without a title, as at PROVIDER_C. */
  readonly title: string | null;
  /** Its description or caption, or null. */
  readonly description: string | null;
  /** The URL of the post for people. */
  readonly url: string;
}

/** A new post; omitted fields follow from the seed. */
export interface NewPost {
  /** `A new post` by default; null for none. */
  readonly title?: string | null;
  /** The title by default; null for none. */
  readonly description?: string | null;
  /** Now by default. */
  readonly publishedAt?: Date | string | number;
  /** One of the provider's forms among `video`, `short`, `live`, `image`, `carousel`, `reel`, `photo`. */
  readonly form?: PostForm;
  /** Replaces generated counts; null for a count that the owner hides. */
  readonly metrics?: Readonly<Partial<Record<MetricName, string | null>>>;
}

/** Options of `removeApp`. */
export interface RemoveAppOptions {
  /** Time of the removal; now by default. */
  readonly at?: Date | string | number;
}

/** Options of `requestDeletion`. */
export interface RequestDeletionOptions {
  /** Time of the request; now by default. */
  readonly at?: Date | string | number;
}

/** The response to a data deletion request. */
export interface DeletionReceipt {
  /** The public page that shows the status of the request. */
  readonly url: string;
  /** The code in that URL. */
  readonly confirmationCode: string;
}

const GRANT_ENDS = ["revoked", "removed-app", "password-changed", "expired"] as const;
const NEW_POST = {
  title: "string?",
  description: "string?",
  publishedAt: "any",
  form: "string",
  metrics: "object",
} as const;
const POST_CHANGE = {
  visibility: ["public", "unlisted", "private", "deleted"],
  title: "string?",
  text: "string?",
  metrics: "object",
} as const satisfies Record<keyof PostChange, unknown>;

function checkMetrics(metrics: NewPost["metrics"] = {}): void {
  for (const [name, value] of Object.entries(metrics)) {
    oneOf(name, METRIC_NAMES, "metric name");
    if (value === null || (typeof value === "string" && isDecimalCount(value))) continue;
    throw new MockMisuseError(`${name} must be an integer as a string, 0 or more, or null for a hidden count.`);
  }
}

/** Scripts that a message names; all of a provider would take 800 characters. */
const LISTED_SCRIPTS = 30;

/** The account with a name. Throws for an invalid name, and for a script of other providers. */
export function accountFor(provider: SocialProvider, name: string): Account {
  oneOf(provider, SOCIAL_PROVIDERS, "provider");
  const account = typeof name === "string" ? findAccount(provider, name) : null;
  if (account !== null) return account;
  const scripts = scriptNames(provider);
  const listed = scripts.slice(0, LISTED_SCRIPTS).join(", ");
  const others = `and ${scripts.length - LISTED_SCRIPTS} others, which the consent page lists`;
  throw new MockMisuseError(
    `${provider} has no account ${shown(name)}. Use a name of letters, digits, dots and hyphens. Scripts: ${listed} ${others}.`,
  );
}

/** Controls an account at a provider: its posts and its grants. */
export class AccountControl {
  readonly #world: World;
  readonly #account: Account;

  constructor(world: World, provider: SocialProvider, name: string) {
    this.#world = world;
    this.#account = accountFor(provider, name);
  }

  /** The provider's id of the account. */
  get id(): string {
    return this.#account.accountId;
  }

  /** The name of the account at consent. */
  get name(): string {
    return this.#account.name;
  }

  /** The posts, newest first. */
  posts(): AccountPost[] {
    return this.#world.posts.of(this.#account, this.#world.state.providers).map((post) => this.#view(post));
  }

  /** Publishes a post. The next scan reads it. */
  publish(post: NewPost = {}): AccountPost {
    fieldsOf(post, NEW_POST);
    checkMetrics(post.metrics);
    const { provider } = this.#account;
    const { random, state } = this.#world;
    const fixtures = PROVIDER_FIXTURES[provider];
    const forms = fixtures.forms.map(([form]) => form);
    const form =
      post.form === undefined ? formOf(fixtures, random) : oneOf(post.form, forms, `form of a post at ${provider}`);
    const publishedMs = post.publishedAt === undefined ? this.#world.nowMs() : timeMs(post.publishedAt);
    // Providers report whole seconds.
    const publishedAt = new Date(Math.floor(publishedMs / 1_000) * 1_000);
    const id = PROVIDERS[provider].createPostId(random, publishedAt);
    const title = post.title === undefined ? "A new post" : post.title;
    const text = post.description === undefined ? title : post.description;
    const key = accountKey(provider, this.name);
    const published = state.providers.published.get(key) ?? [];
    const added: PublishedPost = { id, shortcode: randomShortcode(random), publishedAt, form, title, text };
    published.push(added);
    state.providers.published.set(key, published);
    this.#world.posts.invalidate(this.#account);
    if (post.metrics !== undefined) this.#change(id, { metrics: post.metrics });
    // Without the list of all posts, so that a thousand can be published.
    return this.#view({ ...added, visibility: "public" });
  }

  /** Changes a post. The next read of the post returns the changes. */
  change(postId: string, change: PostChange): AccountPost {
    fieldsOf(change, POST_CHANGE);
    checkMetrics(change.metrics);
    this.#shown(postId);
    this.#change(postId, change);
    return this.#shown(postId);
  }

  /** Ends every grant of the account at the provider, without notifying the service. */
  endGrants(cause: GrantEnd = "password-changed"): void {
    oneOf(cause, GRANT_ENDS, "cause");
    this.#endGrants(cause, this.#world.nowMs());
  }

  /**
   * The person removes the application at the provider, now or at an earlier time (`at`); later consents stay valid.
   * PROVIDER_B and PROVIDER_C notify the service, and always now. Without `at`, nothing happens if no consent is left.
   */
  removeApp(options: RemoveAppOptions = {}): void {
    const removedMs = this.#pastMs(options);
    const hasEnded = this.#endGrants("removed-app", removedMs);
    if (options.at === undefined && !hasEnded) return;
    const { messages } = PROVIDERS[this.#account.provider];
    if (messages.includes("deauthorization") || messages.includes("webhook"))
      receiveDeauthorization(this.#world, this.#account, new Date(removedMs));
  }

  /**
   * The person asks the provider for the deletion of their data, now or at an earlier time (`at`), usually after `removeApp`.
   * The service disconnects and erases every connection of the account, except those with a later consent. Returns its
   * response; null if it refuses the request, because every consent is later. Only PROVIDER_C has these requests.
   */
  requestDeletion(options: RequestDeletionOptions = {}): DeletionReceipt | null {
    const { provider } = this.#account;
    if (!PROVIDERS[provider].messages.includes("data-deletion"))
      throw new MockMisuseError(`${provider} sends no data deletion requests.`);
    const code = receiveDataDeletion(this.#world, this.#account, new Date(this.#pastMs(options)));
    if (code === null) return null;
    const { connectHost } = this.#world.settings;
    const url = `${connectHost}/api/connect/${providerSlug(provider)}/data-deletion?code=${code}`;
    return { url, confirmationCode: code };
  }

  #pastMs(options: RemoveAppOptions): number {
    const { at } = fieldsOf(options, { at: "any" });
    const ms = at === undefined ? this.#world.nowMs() : timeMs(at as Date | string | number);
    if (ms > this.#world.nowMs()) throw new MockMisuseError("`at` must not be in the future.");
    return ms;
  }

  /** Whether a grant was left to end. */
  #endGrants(cause: GrantEnd, consentedUntilMs: number): boolean {
    const ended = [...this.#world.state.providers.grants.values()].filter(
      (grant) =>
        grant.provider === this.#account.provider &&
        grant.account === this.name &&
        grant.ended === null &&
        grant.createdAt.getTime() <= consentedUntilMs,
    );
    for (const grant of ended) endGrant(grant, cause);
    return ended.length > 0;
  }

  #change(postId: string, change: PostChange): void {
    const { postChanges } = this.#world.state.providers;
    const key = accountKey(this.#account.provider, this.name);
    const changes = postChanges.get(key) ?? new Map<string, PostChange>();
    changes.set(postId, { ...changes.get(postId), ...change });
    postChanges.set(key, changes);
    this.#world.posts.invalidate(this.#account);
  }

  #view(post: PublishedPost & Pick<Post, "visibility">): AccountPost {
    return {
      id: post.id,
      publishedAt: post.publishedAt.toISOString(),
      visibility: post.visibility,
      title: post.title,
      description: post.text,
      url: postUrl(this.#account, post),
    };
  }

  #shown(postId: string): AccountPost {
    const posts = this.posts();
    const post = posts.find((one) => one.id === postId);
    if (post !== undefined) return post;
    const newest = posts.slice(0, 5).map(({ id }) => id);
    throw new MockMisuseError(
      `The account ${this.name} has no post ${shown(postId)}. Newest posts: ${newest.join(", ") || "none"}.`,
    );
  }
}
