import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import {
  type ContentObservation,
  type ProviderAccount,
  type ProviderAdapter,
  ProviderError,
  type ProviderSession,
} from "../../providers/contract.ts";

export function fakeProviders(): Readonly<Record<SocialProvider, FakeProvider>> {
  const fakes = SOCIAL_PROVIDERS.map((provider) => [provider, fakeProvider(provider)]);
  return Object.fromEntries(fakes) as Record<SocialProvider, FakeProvider>;
}

export type FakeProvider = ReturnType<typeof fakeProvider>;

/** An in-memory provider that tests control; records every call by name. */
function fakeProvider(provider: SocialProvider) {
  // With the provider's own tokens and consents; reads are the same for all.
  const traits: ProviderAdapter["traits"] = {
    ...PROVIDER_TRAITS[provider],
    quota: { units: 1_000_000, window: "minute", per: "client", reserve: 0.2 },
    readBatchSize: 50,
    renewBeforeMs: 60_000,
    absentFields: [],
    metrics: { VIEWS: "OFFERED", LIKES: "OFFERED", COMMENTS: "OFFERED", SHARES: "OFFERED" },
  };
  const state = {
    calls: [] as { readonly name: string; readonly detail: unknown }[],
    /** Sessions of all reads, in order. */
    sessions: [] as ProviderSession[],
    /** The account that consents next. */
    account: accountOf(provider, "1"),
    granted: CAPABILITIES as readonly Capability[] | null,
    refreshToken: "refresh-1" as string | null,
    /** Newest first. */
    posts: [] as ContentObservation[],
    /** Ids of posts that it refuses to show. */
    refused: [] as string[],
    /** Ids of posts that it does not show by id, for one of several causes. */
    hidden: [] as string[],
    /** Errors that the next calls of each name throw, in order. */
    failures: new Map<string, Error[]>(),
    /** Whether reads also call the registration's read API, `{api}/{name}`, and ignore its response. For quota tests. */
    callsApi: false,
    /** Runs before a call of this name returns, for example to block it during a concurrent change. */
    before: new Map<string, () => Promise<void>>(),
  };
  const call = async <T>(name: string, detail: unknown, answer: () => T): Promise<T> => {
    state.calls.push({ name, detail });
    await state.before.get(name)?.();
    const failure = state.failures.get(name)?.shift();
    if (failure !== undefined) throw failure;
    return answer();
  };
  const read = async <T>(session: ProviderSession, name: string, detail: unknown, answer: () => T): Promise<T> => {
    const { addresses, fetch } = session.registration;
    state.sessions.push(session);
    if (state.callsApi) await fetch(`${addresses.api}/${name}`);
    return call(name, detail, answer);
  };
  const tokens = (accessToken: string, refreshToken: string | null) => ({
    accessToken,
    accessTokenExpiresAt: null,
    refreshToken,
    refreshTokenExpiresAt: null,
    grantedCapabilities: state.granted,
    providerAccountId: null,
  });
  const detailsOf = (name: string) => state.calls.filter((made) => made.name === name).map(({ detail }) => detail);
  const adapter: ProviderAdapter = {
    provider,
    traits,
    publicApi: {
      name: "In-memory test provider",
      addresses: {
        authorization: "https://provider.example/authorize",
        token: "https://provider.example/token",
        api: "https://provider.example/api",
      },
      scopes: {
        PROFILE: ["profile"],
        CONTENT_LIST: ["posts"],
        CONTENT_LOOKUP: ["posts"],
        CONTENT_METRICS: ["numbers"],
      },
    },
    authorizationUrl: async ({ addresses }, request) => {
      const url = new URL(addresses.authorization);
      url.searchParams.set("state", request.state);
      url.searchParams.set("redirect_uri", request.redirectUri);
      if (request.codeChallenge !== null) url.searchParams.set("code_challenge", request.codeChallenge);
      if (request.isAccountChoice) url.searchParams.set("account_choice", "true");
      return url;
    },
    exchangeCode: (_, { codeVerifier }) =>
      call("exchangeCode", codeVerifier, () => tokens("access-1", state.refreshToken)),
    refreshTokens: (_, { refreshToken }) => call("refreshTokens", refreshToken, () => tokens("access-2", "refresh-2")),
    ...(traits.canRevoke && { revoke: (_, { accessToken }) => call("revoke", accessToken, () => undefined) }),
    readAccount: (session) => read(session, "readAccount", session.accessToken, () => state.account),
    listContent: (session, { cursor, maxItems, publishedAfter, publishedBefore }) =>
      read(session, "listContent", cursor, () => {
        const start = Number(cursor ?? 0);
        const inside = state.posts.filter(
          ({ publishedAt }) => publishedAt !== null && publishedAt >= publishedAfter && publishedAt < publishedBefore,
        );
        const items = inside.slice(start, start + Math.min(10, maxItems));
        const end = start + items.length;
        return { items, nextCursor: end < inside.length ? String(end) : null, incompleteReason: null };
      }),
    readContent: (session, { providerContentIds }) =>
      read(session, "readContent", providerContentIds, () => {
        const found = state.posts.filter((post) => providerContentIds.includes(post.providerContentId));
        const isRefused = ({ providerContentId }: ContentObservation) => state.refused.includes(providerContentId);
        const unreadable = found.filter(isRefused).map(({ providerContentId }) => providerContentId);
        const isShown = (post: ContentObservation) =>
          !isRefused(post) && !state.hidden.includes(post.providerContentId);
        return { items: found.filter(isShown), unreadable, unproven: state.hidden };
      }),
    lookupContent: (session, { target: { value } }) =>
      read(session, "lookupContent", value, () => {
        if (state.hidden.includes(value)) return { outcome: "unproven" };
        const item = state.posts.find((post) => post.providerContentId === value);
        if (item === undefined) return { outcome: "not-found" };
        return state.refused.includes(value) ? { outcome: "refused" } : { outcome: "found", item };
      }),
  };
  return Object.assign(state, adapter, {
    detailsOf,
    countOf: (name: string) => detailsOf(name).length,
    /** Fails the next calls of `name` with these kinds, in order. */
    failNext: (name: string, ...kinds: ConstructorParameters<typeof ProviderError>[0][]) => {
      const errors = kinds.map((kind) => new ProviderError(kind, `test: ${kind}`));
      state.failures.set(name, [...(state.failures.get(name) ?? []), ...errors]);
    },
    /** Discards the recorded calls, failures and hooks. */
    reset: () => {
      state.calls.length = 0;
      state.failures.clear();
      state.before.clear();
    },
  });
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
