import type { MetricName, SocialProvider } from "@social-connect/contract";
import type { PostForm, Visibility } from "@social-connect/provider-fixtures";
import type { CallFault, GrantEnd, ProviderCall } from "./providerCall.ts";

export type ProviderState = ReturnType<typeof emptyProviderState>;

/** The provider's record of a consent. */
export interface ProviderGrant {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly account: string;
  readonly personKey: string;
  readonly scopes: readonly string[];
  ended: GrantEnd | null;
  /** Counters for scripts. */
  contentCalls: number;
  profileCalls: number;
  revocations: number;
  /** The newest post's details have been read. */
  newestRead: boolean;
  readonly createdAt: Date;
}

export interface AuthorizationCode {
  readonly provider: SocialProvider;
  readonly account: string;
  readonly scopes: readonly string[];
}

export interface IdentityCode {
  readonly person: string;
}

export type { PostForm, Visibility };

export interface PublishedPost {
  readonly id: string;
  readonly shortcode: string;
  readonly publishedAt: Date;
  readonly form: PostForm;
  readonly title: string | null;
  readonly text: string | null;
}

/** Changes of a post; an omitted field stays unchanged. */
export interface PostChange {
  /** Its new visibility. */
  readonly visibility?: Visibility;
  /** null removes it. */
  readonly title?: string | null;
  /** Its description or caption; null removes it. */
  readonly text?: string | null;
  /** Replaces generated counts; null for a count that the owner hides. */
  readonly metrics?: Readonly<Partial<Record<MetricName, string | null>>>;
}

/** A fault of calls at a provider. */
export interface ProviderFaultRule {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly call: ProviderCall | "any";
  /** null for every account. */
  readonly account: string | null;
  readonly fault: CallFault;
  /** Remaining uses; null for no limit. */
  left: number | null;
}

export function emptyProviderState() {
  return {
    grants: new Map<string, ProviderGrant>(),
    /** Issued authorization codes that have not been exchanged, by hash. */
    codes: new Map<string, AuthorizationCode>(),
    /** Posts published by the test, by account. */
    published: new Map<string, PublishedPost[]>(),
    /** Changes by the test, by account and post id. */
    postChanges: new Map<string, Map<string, PostChange>>(),
    /** Accounts that the test has used; a lookup finds their posts as another account. */
    named: new Map<string, { readonly provider: SocialProvider; readonly account: string }>(),
    faults: [] as ProviderFaultRule[],
    /** Faults of the identity provider. */
    issuerFaults: [] as string[],
    identityCodes: new Map<string, IdentityCode>(),
  };
}
