import type { MetricName, SocialProvider } from "@social-connect/contract";
import type { CallFault, ProviderCall } from "./providerCall.ts";

/** What the providers' side remembers. */
export interface ProviderState {
  readonly grants: Map<string, ProviderGrant>;
  /** Codes that were given out and not exchanged, by hash. */
  readonly codes: Map<string, AuthorizationCode>;
  /** Posts that were published by the test, by account. */
  readonly published: Map<string, PublishedPost[]>;
  /** What the test changed of a post, by account and post id. */
  readonly postChanges: Map<string, Map<string, PostChange>>;
  /** Accounts that the test has named, by account key: whose posts count as somebody's. */
  readonly named: Map<string, { readonly provider: SocialProvider; readonly account: string }>;
  faults: ProviderFaultRule[];
  /** Ways in which the identity provider's answers are wrong. */
  identityLies: string[];
  readonly identityCodes: Map<string, IdentityCode>;
}

/** A consent, as the provider keeps it. */
export interface ProviderGrant {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly account: string;
  readonly personKey: string;
  readonly scopes: readonly string[];
  ended: GrantEnd | null;
  /** What scripts count. */
  contentCalls: number;
  profileCalls: number;
  revocations: number;
  /** The newest post's details have been read. */
  newestRead: boolean;
  readonly createdAt: Date;
}

/** What ended a grant at the provider, for the service to find out at its next call. */
export type GrantEnd = "revoked" | "removed-app" | "password-changed" | "expired";

export interface AuthorizationCode {
  readonly provider: SocialProvider;
  readonly account: string;
  readonly scopes: readonly string[];
}

export interface IdentityCode {
  readonly person: string;
}

/** What kind of thing a post is at its provider. */
export type PostForm = "video" | "short" | "live" | "image" | "carousel" | "reel";
/** Who may see a post at its provider; `deleted` is gone for good. */
export type Visibility = "public" | "unlisted" | "private" | "deleted";

export interface PublishedPost {
  readonly id: string;
  readonly shortcode: string;
  readonly publishedAt: Date;
  readonly form: PostForm;
  readonly title: string | null;
  readonly text: string | null;
}

/** What is to change of a post; what is left out stays. */
export interface PostChange {
  /** Who may see it from now on. */
  readonly visibility?: Visibility;
  /** null takes it away. */
  readonly title?: string | null;
  /** Its description or caption; null takes it away. */
  readonly text?: string | null;
  /** Numbers in place of invented ones; null for one that the owner hides. */
  readonly metrics?: Readonly<Partial<Record<MetricName, string | null>>>;
}

/** Makes calls of the service at a provider go wrong. */
export interface ProviderFaultRule {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly call: ProviderCall | "any";
  /** null: everybody's. */
  readonly account: string | null;
  readonly fault: CallFault;
  /** How often it is still to be played; null without end. */
  left: number | null;
}

export function emptyProviderState(): ProviderState {
  return {
    grants: new Map(),
    codes: new Map(),
    published: new Map(),
    postChanges: new Map(),
    named: new Map(),
    faults: [],
    identityLies: [],
    identityCodes: new Map(),
  };
}
