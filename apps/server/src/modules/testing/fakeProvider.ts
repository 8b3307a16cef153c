import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import {
  type ContentObservation,
  type ProviderAccount,
  type ProviderAdapter,
  ProviderError,
  type ProviderSession,
  type ProviderTokens,
} from "../../providers/contract.ts";

export function fakeProviders(): Readonly<Record<SocialProvider, FakeProvider>> {
  const fakes = SOCIAL_PROVIDERS.map((provider) => [provider, new FakeProvider(provider)]);
  return Object.fromEntries(fakes) as Record<SocialProvider, FakeProvider>;
}

/** An in-memory provider that tests control; records every call by name. */
export class FakeProvider implements ProviderAdapter {
  readonly provider: SocialProvider;
  readonly traits: ProviderAdapter["traits"];
  readonly publicApi: ProviderAdapter["publicApi"] = {
    name: "In-memory test provider",
    addresses: {
      authorization: "https://provider.example/authorize",
      token: "https://provider.example/token",
      api: "https://provider.example/api",
    },
    scopes: { PROFILE: ["profile"], CONTENT_LIST: ["posts"], CONTENT_LOOKUP: ["posts"], CONTENT_METRICS: ["numbers"] },
  };
  readonly calls: { readonly name: string; readonly detail: unknown }[] = [];
  /** Sessions of all reads, in order. */
  readonly sessions: ProviderSession[] = [];
  readonly revoke?: NonNullable<ProviderAdapter["revoke"]>;

  /** The account that consents next. */
  account: ProviderAccount;
  granted: readonly Capability[] | null = CAPABILITIES;
  refreshToken: string | null = "refresh-1";
  /** Newest first. */
  posts: ContentObservation[] = [];
  /** Ids of posts that it refuses to show. */
  refused: string[] = [];
  /** Ids of posts that it does not show by id, for one of several causes. */
  hidden: string[] = [];
  /** Errors that the next calls of each name throw, in order. */
  readonly failures = new Map<string, Error[]>();
  /** Whether reads also call the registration's read API, `{api}/{name}`, and ignore its response. For quota tests. */
  callsApi = false;
  /** Runs before a call of this name returns, for example to block it during a concurrent change. */
  readonly before = new Map<string, () => Promise<void>>();

  constructor(provider: SocialProvider) {
    this.provider = provider;
    // With the provider's own tokens and consents; reads are the same for all.
    this.traits = {
      ...PROVIDER_TRAITS[provider],
      quota: { units: 1_000_000, window: "minute", per: "client", reserve: 0.2 },
      readBatchSize: 50,
      renewBeforeMs: 60_000,
      absentFields: [],
      metrics: { VIEWS: "OFFERED", LIKES: "OFFERED", COMMENTS: "OFFERED", SHARES: "OFFERED" },
    };
    this.account = accountOf(provider, "1");
    if (this.traits.canRevoke) {
      this.revoke = (_registration, tokens) => this.#call("revoke", tokens.accessToken, () => undefined);
    }
  }

  authorizationUrl: ProviderAdapter["authorizationUrl"] = async ({ addresses }, request) => {
    const url = new URL(addresses.authorization);
    url.searchParams.set("state", request.state);
    url.searchParams.set("redirect_uri", request.redirectUri);
    if (request.codeChallenge !== null) url.searchParams.set("code_challenge", request.codeChallenge);
    if (request.isAccountChoice) url.searchParams.set("account_choice", "true");
    return url;
  };

  exchangeCode: ProviderAdapter["exchangeCode"] = (_, { codeVerifier }) =>
    this.#call("exchangeCode", codeVerifier, () => this.#tokens("access-1", this.refreshToken));

  refreshTokens(...[, { refreshToken }]: Parameters<ProviderAdapter["refreshTokens"]>): Promise<ProviderTokens> {
    return this.#call("refreshTokens", refreshToken, () => this.#tokens("access-2", "refresh-2"));
  }

  readAccount: ProviderAdapter["readAccount"] = (session) =>
    this.#read(session, "readAccount", session.accessToken, () => this.account);

  listContent: ProviderAdapter["listContent"] = (session, request) =>
    this.#read(session, "listContent", request.cursor, () => {
      const start = Number(request.cursor ?? 0);
      const inside = this.posts.filter(
        ({ publishedAt }) =>
          publishedAt !== null && publishedAt >= request.publishedAfter && publishedAt < request.publishedBefore,
      );
      const items = inside.slice(start, start + Math.min(10, request.maxItems));
      const end = start + items.length;
      return { items, nextCursor: end < inside.length ? String(end) : null, incompleteReason: null };
    });

  readContent: ProviderAdapter["readContent"] = (session, { providerContentIds }) =>
    this.#read(session, "readContent", providerContentIds, () => {
      const found = this.posts.filter((post) => providerContentIds.includes(post.providerContentId));
      const isRefused = ({ providerContentId }: ContentObservation) => this.refused.includes(providerContentId);
      const unreadable = found.filter(isRefused).map(({ providerContentId }) => providerContentId);
      const isShown = (post: ContentObservation) => !isRefused(post) && !this.hidden.includes(post.providerContentId);
      return { items: found.filter(isShown), unreadable, unproven: this.hidden };
    });

  lookupContent: ProviderAdapter["lookupContent"] = (session, { target: { value } }) =>
    this.#read(session, "lookupContent", value, () => {
      if (this.hidden.includes(value)) return { outcome: "unproven" };
      const item = this.posts.find((post) => post.providerContentId === value);
      if (item === undefined) return { outcome: "not-found" };
      return this.refused.includes(item.providerContentId) ? { outcome: "refused" } : { outcome: "found", item };
    });

  /** Fails the next calls of `name` with these kinds, in order. */
  failNext(name: string, ...kinds: ConstructorParameters<typeof ProviderError>[0][]): void {
    const errors = kinds.map((kind) => new ProviderError(kind, `test: ${kind}`));
    this.failures.set(name, [...(this.failures.get(name) ?? []), ...errors]);
  }

  /** Discards the recorded calls, failures and hooks. */
  reset(): void {
    this.calls.length = 0;
    this.failures.clear();
    this.before.clear();
  }

  detailsOf(name: string): unknown[] {
    return this.calls.filter((call) => call.name === name).map(({ detail }) => detail);
  }

  countOf(name: string): number {
    return this.detailsOf(name).length;
  }

  #tokens(accessToken: string, refreshToken: string | null): ProviderTokens {
    return {
      accessToken,
      accessTokenExpiresAt: null,
      refreshToken,
      refreshTokenExpiresAt: null,
      grantedCapabilities: this.granted,
      providerAccountId: null,
    };
  }

  async #read<T>(session: ProviderSession, name: string, detail: unknown, answer: () => T): Promise<T> {
    const { addresses, fetch } = session.registration;
    this.sessions.push(session);
    if (this.callsApi) await fetch(`${addresses.api}/${name}`);
    return this.#call(name, detail, answer);
  }

  async #call<T>(name: string, detail: unknown, answer: () => T): Promise<T> {
    this.calls.push({ name, detail });
    await this.before.get(name)?.();
    const failure = this.failures.get(name)?.shift();
    if (failure !== undefined) throw failure;
    return answer();
  }
}

export function accountOf(provider: SocialProvider, suffix: string): ProviderAccount {
  return {
    providerAccountId: `${provider.toLowerCase()}-account-${suffix}`,
    providerUserKey: null,
    displayName: `Account ${suffix}`,
    handle: `account_${suffix}`,
    avatarUrl: null,
    profileUrl: null,
    description: null,
  };
}
