import type {
  Availability,
  Capability,
  ContentKind,
  MetricName,
  ObservationReason,
  ScanIncompleteReason,
  SocialProvider,
} from "@social-connect/contract";
import type { ProviderQuota, ProviderTraits } from "@social-connect/domain";
import { printableCode } from "./errorLabel.ts";
import type { ProviderAddresses, ProviderScopes } from "./registration.ts";

/**
 * What the service needs of a social provider. One folder a provider implements this by speaking its wire profile; no
 * module knows which provider it talks to: what differs is data (`traits`) or behind one of these functions.
 */
export interface ProviderAdapter {
  readonly provider: SocialProvider;
  /** How the provider differs from the others, where a use case has to know. */
  readonly traits: ProviderTraits;
  /** The public API whose wire profile it speaks. */
  readonly publicApi: PublicApi;
  /** Where to send the browser for consent. Throws no ProviderError: it asks nobody. */
  authorizationUrl(registration: RegistrationAccess, request: AuthorizationRequest): Promise<URL>;
  /**
   * Turns the callback's code into tokens (RFC 6749 4.1.3). Tried again with the same request object, it goes on where it
   * was: a code that was used is not sent twice.
   */
  exchangeCode(registration: RegistrationAccess, request: CodeExchange): Promise<ProviderTokens>;
  /** New tokens from stored ones. A refresh token that is missing in the answer means: keep the stored one. */
  refreshTokens(registration: RegistrationAccess, tokens: StoredTokens): Promise<ProviderTokens>;
  /** The account behind a grant. */
  readAccount(session: ProviderSession): Promise<ProviderAccount>;
  /** One upstream page of the account's posts, newest first, with metrics when they are asked for. */
  listContent(session: ProviderSession, request: ListRequest): Promise<ListPage>;
  /** Posts by the provider's own ids, at most `traits.readBatchSize` of them. Ids the provider does not give back are absent. */
  readContent(session: ProviderSession, request: ReadRequest): Promise<ContentObservation[]>;
  /** The post a lookup URL names, through the provider's own API; the URL itself is never fetched. */
  lookupContent(session: ProviderSession, request: LookupRequest): Promise<LookupOutcome>;
  /** Gives the grant back (RFC 7009). Throws `grant_gone` when the credential is already dead. Absent where there is no such interface. */
  revoke?(registration: RegistrationAccess, tokens: StoredTokens): Promise<void>;
  /**
   * What share of its limit the provider says is used, by the headers of an answer of its read API: 1 is all of it. null
   * when they do not say. Absent where the provider never says.
   */
  readUsage?(headers: Headers): number | null;
  /** Checks a signed deauthorize callback and returns the account's user id; absent where the provider sends none. */
  verifyDeauthorization?(registration: RegistrationAccess, signedRequest: string): DeauthorizedAccount | null;
}

export type { ProviderQuota, ProviderTraits };

/** What a registration at the provider itself holds, as far as the provider's documentation gives it. */
export interface PublicApi {
  readonly name: string;
  readonly addresses: ProviderAddresses;
  readonly scopes: ProviderScopes;
}

/** A published registration as an adapter sees it: every address, scope and credential is configuration. */
export interface RegistrationAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly addresses: ProviderAddresses;
  readonly scopes: ProviderScopes;
  /** Calls out; refuses hosts that are not among the registration's addresses, follows no redirect, bounds time and size. */
  readonly fetch: typeof globalThis.fetch;
  readonly now: Date;
}

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly capabilities: readonly Capability[];
  /** S256 challenge of the attempt's verifier in base64url (RFC 7636 4.2); null where the trait `pkce` is false. */
  readonly codeChallenge: string | null;
}

export interface CodeExchange {
  readonly redirectUri: string;
  /** The whole callback address as the browser brought it, `code` and `state` included. */
  readonly callbackUrl: URL;
  readonly state: string;
  readonly codeVerifier: string | null;
}

export interface ProviderTokens {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date | null;
  /**
   * null: the answer carried none, and a stored one stays. Where there is none at all, the access token is the only
   * credential, and the grant ends with it.
   */
  readonly refreshToken: string | null;
  readonly refreshTokenExpiresAt: Date | null;
  /** Capabilities of the scopes the provider says it granted; null when the answer does not say (a refresh may not). */
  readonly grantedCapabilities: readonly Capability[] | null;
  /** The account id, where the token answer names one. A hint: the id that `readAccount` gives is the one to store. */
  readonly providerAccountId: string | null;
}

export interface StoredTokens {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date | null;
  readonly refreshToken: string | null;
  readonly refreshTokenExpiresAt: Date | null;
}

export interface ProviderSession {
  readonly registration: RegistrationAccess;
  readonly accessToken: string;
  readonly providerAccountId: string | null;
  /** Capabilities granted to this connection; an adapter asks for no field beyond them. */
  readonly capabilities: readonly Capability[];
}

export interface ProviderAccount {
  readonly providerAccountId: string;
  /** The provider's id of the person behind the account, equal for accounts that share one consent; null when unknown. */
  readonly providerUserKey: string | null;
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
}

export interface ListRequest {
  /** Inclusive start and exclusive end of the publication window. */
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
  /** Where the last page ended, as the adapter gave it (no token in it); null for the first page. */
  readonly cursor: string | null;
  /** How many posts are still wanted, as `takeItems` counts them; a page may hold fewer, never more. */
  readonly maxItems: number;
  readonly withMetrics: boolean;
}

export interface ListPage {
  /** Posts inside the window, and posts that do not tell when they were published (deleted ones may not). */
  readonly items: readonly ContentObservation[];
  /** Where to go on; null when the window is exhausted, or the provider cannot go further. */
  readonly nextCursor: string | null;
  /** Set with a null `nextCursor` when the provider ended the listing before the window was covered. */
  readonly incompleteReason: Extract<ScanIncompleteReason, "UPSTREAM_PAGE_LIMIT" | "UPSTREAM_WINDOW_LIMIT"> | null;
}

export interface ReadRequest {
  readonly providerContentIds: readonly string[];
  readonly withMetrics: boolean;
}

export interface LookupRequest {
  /** What the URL rule of the domain took out of the URL: a post id, or a short code where the provider has those. */
  readonly target: { readonly kind: "id" | "shortcode"; readonly value: string };
  readonly withMetrics: boolean;
}

export type LookupOutcome =
  | { readonly outcome: "found"; readonly item: ContentObservation }
  | { readonly outcome: "not-found" }
  | { readonly outcome: "not-owned" };

/** A post as a provider showed it at one moment. Absent values are null, never invented. */
export interface ContentObservation {
  readonly providerContentId: string;
  readonly kind: ContentKind;
  readonly canonicalUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly publishedAt: Date | null;
  readonly availability: Availability;
  readonly reason: ObservationReason | null;
  /** Empty when metrics were not asked for; otherwise one entry for each MetricName, in that order. */
  readonly metrics: readonly MetricReading[];
}

export interface MetricReading {
  readonly name: MetricName;
  /** A non-negative whole number as text; null unless AVAILABLE. */
  readonly value: string | null;
  readonly availability: Availability;
  readonly reason: ObservationReason | null;
  /** The provider's own field, e.g. `statistics.viewCount`; null where there is none. */
  readonly sourceField: string | null;
}

export interface DeauthorizedAccount {
  /** Compare with `providerUserKey` and with `providerAccountId`: providers scope this id to the application. */
  readonly providerUserId: string;
  /** When the provider signed it; a callback older than the grant is about an earlier one. null when it does not say. */
  readonly issuedAt: Date | null;
}

/**
 * How an upstream call failed, in the terms a use case decides on:
 * - `grant_gone`: the person or the provider ended the grant; only a reconnect helps. `appRemoved` when the provider says the person removed the app
 * - `access_expired`: the access token is dead, a refresh may help
 * - `scope_missing`: the grant lives but does not cover this call
 * - `rate_limited`: later; `retryAfterSeconds` when the provider said when
 * - `unavailable`: 5xx, time-out, cut or unreadable answer: later
 * - `rejected`: the provider refused for good (wrong client, bad request)
 */
export type ProviderErrorKind =
  | "grant_gone"
  | "access_expired"
  | "scope_missing"
  | "rate_limited"
  | "unavailable"
  | "rejected";

/** What a provider answered when it refused, as far as a program may look at it. */
export interface Refusal {
  /** Of HTTP. */
  readonly status: number;
  /** The first name that the answer gives to what is wrong, e.g. `invalid_client`; null when it gives none that is a name. */
  readonly code: string | null;
}

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly retryAfterSeconds: number | null;
  readonly appRemoved: boolean;
  /** null when there was no answer to refuse anything. */
  readonly refusal: Refusal | null;

  /** `message` is for operators: an error code or status of the provider, never a token, body or address. */
  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: { retryAfterSeconds?: number | null; appRemoved?: boolean; refusal?: Refusal | null } = {},
  ) {
    super(message);
    this.name = "ProviderError";
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.appRemoved = options.appRemoved ?? false;
    const { status, code } = options.refusal ?? {};
    this.refusal = status === undefined ? null : { status, code: code == null ? null : printableCode(code) };
  }
}
