import type { MetricName } from "@social-connect/contract";
import type { ProviderMessage } from "@social-connect/domain";
import type { ConsentRules, Random, ScopesByCapability } from "@social-connect/provider-fixtures";

/** The fields of an account that each provider forms differently. */
export interface AccountFields {
  readonly providerUserKey: string | null;
  readonly handle: string;
  readonly profileUrl: string;
}

/** Everything in which one simulated provider differs from another. `PROVIDER_TRAITS` of the domain holds what the service knows. */
export interface SimulatedProvider {
  /** As the consent page shows it. */
  readonly label: string;
  /** The parameters of the consent request that let the person choose the account. */
  readonly consentParameters: (isAccountChoice: boolean) => Readonly<Record<string, string>>;
  readonly createAccountId: (random: Random) => string;
  readonly accountFields: (account: { readonly accountId: string; readonly handle: string }) => AccountFields;
  readonly scopes: ConsentRules & {
    /** Requested for each capability. The names are the mock's; how they overlap is the provider's. */
    readonly byCapability: ScopesByCapability;
    /** Metrics are NOT_GRANTED without this scope; null when the scopes of the posts cover them. */
    readonly metrics: string | null;
  };
  /** The token response names the account. */
  readonly tokensNameOwner: boolean;
  /** The provider's errors say that a person removed the app. */
  readonly reportsRemovedApp: boolean;
  /** What it sends to the service. A deauthorize callback and a webhook report that a person removed the app. */
  readonly messages: readonly ProviderMessage[];
  /** Lists and returns an account's own private posts, and lists deleted ones; other providers show public posts only. */
  readonly showsHiddenPosts: boolean;
  /** The API says that a post belongs to another account; elsewhere such a post does not exist. */
  readonly identifiesForeignPosts: boolean;
  /** How long the provider asks to wait when its quota is spent; null when it does not say. */
  readonly quotaWaitSeconds: (now: Date) => number | null;
  readonly listing: {
    readonly pageSize: number;
    /** A scan starts with the account, which names the list of its posts. */
    readonly readsAccountFirst: boolean;
    /** The cursor is a publication time instead of an offset. */
    readonly pagesByTime: boolean;
    /** Lists only this many of the newest posts; null for all. */
    readonly maxPosts: number | null;
    /**
     * The list is not ordered by publication, so it ends after this many consecutive posts that are more than a day older than the
     * window; null for a list that ends at the first page of older posts.
     */
    readonly maxOldPosts: number | null;
  };
  readonly createPostId: (random: Random, publishedAt: Date) => string;
  readonly metrics: {
    /** Source field of each metric; null for a metric that the provider does not offer. */
    readonly fields: Readonly<Record<MetricName, string | null>>;
    /** Source fields of metrics that the post and its insights both show; insights come first. Absent without insights. */
    readonly insightFields?: Readonly<Partial<Record<MetricName, string>>>;
  };
}

export const DAY_SECONDS = 86_400;
