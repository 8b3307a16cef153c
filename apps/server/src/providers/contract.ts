import type { Capability, ScanIncompleteReason, SocialProvider } from "@social-connect/contract";
import {
  type CallKind,
  type ConsentedProfile,
  type ContentObservation,
  type MetricReading,
  type ProviderQuota,
  type ProviderTraits,
  refusalMessage,
} from "@social-connect/domain";
import { printableCode } from "./errorLabel.ts";
import type { ProviderAddresses, ProviderScopes } from "./registration.ts";

/**
 * The interface of a social provider. One folder per provider implements it for that provider's wire profile; modules
 * do not know which provider they call: what differs is data (`traits`) or behind one of these functions.
 */
export interface ProviderAdapter {
  readonly provider: SocialProvider;
  /** Differences between providers that use cases need. */
  readonly traits: ProviderTraits;
  /** The public API whose wire profile it implements. */
  readonly publicApi: PublicApi;
  /** The URL of the consent page. Makes no call and throws no ProviderError. */
  authorizationUrl(registration: RegistrationAccess, request: AuthorizationRequest): Promise<URL>;
  /**
   * Exchanges the callback's code for tokens (RFC 6749 4.1.3). A retry with the same request object continues where it
   * failed: a used code is not sent twice.
   */
  exchangeCode(registration: RegistrationAccess, request: CodeExchange): Promise<ProviderTokens>;
  /** New tokens from stored ones. When the response has no refresh token, the stored one is retained. */
  refreshTokens(registration: RegistrationAccess, tokens: StoredTokens): Promise<ProviderTokens>;
  readAccount(session: ProviderSession): Promise<ProviderAccount>;
  /** One upstream page of the account's posts, newest first, with metrics when requested. */
  listContent(session: ProviderSession, request: ListRequest): Promise<ListPage>;
  /** Posts by the provider's ids, at most `traits.readBatchSize`. */
  readContent(session: ProviderSession, request: ReadRequest): Promise<ReadPage>;
  /** The post of a lookup URL, through the provider's API; the URL itself is never fetched. */
  lookupContent(session: ProviderSession, request: LookupRequest): Promise<LookupOutcome>;
  /**
   * Revokes the grant (RFC 7009). Throws `grant_gone` when the credential is already invalid. Absent where the provider
   * has no revocation endpoint.
   */
  revoke?(registration: RegistrationAccess, tokens: StoredTokens): Promise<void>;
  /**
   * The used share of the provider's rate limit, from the headers of a read API response; 1 is all of it. null when the
   * headers are missing; absent where the provider never sends them.
   */
  readUsage?(headers: Headers): number | null;
  /** Verifies a signed deauthorize callback and returns the account's user id; absent where the provider sends none. */
  verifyDeauthorization?(registration: RegistrationAccess, signedRequest: string): DeauthorizedAccount | null;
  /** As `verifyDeauthorization`, of a request to delete the user's data. */
  verifyDataDeletion?(registration: RegistrationAccess, signedRequest: string): DeauthorizedAccount | null;
  /** Verifies the signature of a webhook, without its time; absent where the provider sends none. */
  verifyWebhook?(registration: RegistrationAccess, message: WebhookMessage): Webhook | null;
}

export type { ContentObservation, MetricReading, ProviderQuota, ProviderTraits };

/** The contents of a registration at the provider itself, as documented by the provider. */
export interface PublicApi {
  readonly name: string;
  readonly addresses: ProviderAddresses;
  readonly scopes: ProviderScopes;
}

/** A published registration as an adapter uses it: every URL, scope and credential is configuration. */
export interface RegistrationAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly addresses: ProviderAddresses;
  readonly scopes: ProviderScopes;
  /** Calls the provider; rejects hosts that are not in the registration, follows no redirect, limits time and size. */
  readonly fetch: typeof globalThis.fetch;
  readonly now: Date;
}

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly capabilities: readonly Capability[];
  /** S256 challenge of the attempt's verifier in base64url (RFC 7636 4.2); null where the trait `pkce` is false. */
  readonly codeChallenge: string | null;
  /** Lets the person choose the account, where the trait `accountChoice` is `on-request`; the others always do. */
  readonly isAccountChoice: boolean;
}

export interface CodeExchange {
  readonly redirectUri: string;
  /** The complete callback URL, including `code` and `state`. */
  readonly callbackUrl: URL;
  readonly state: string;
  readonly codeVerifier: string | null;
}

export interface ProviderTokens {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date | null;
  /**
   * null: the response had none, and a stored one is retained. Without any, the access token is the only credential,
   * and the grant ends with it.
   */
  readonly refreshToken: string | null;
  /** The expiry of the stored refresh token, where the response has none; null if the response has no lifetime. */
  readonly refreshTokenExpiresAt: Date | null;
  /** Capabilities of the granted scopes; null when the response has no scopes (a refresh may omit them). */
  readonly grantedCapabilities: readonly Capability[] | null;
  /** The account id, if the token response has one. A hint: store the id that `readAccount` returns. */
  readonly providerAccountId: string | null;
}

export type StoredTokens = Omit<ProviderTokens, "grantedCapabilities" | "providerAccountId">;

export interface ProviderSession {
  readonly registration: RegistrationAccess;
  readonly accessToken: string;
  readonly providerAccountId: string | null;
  /** Capabilities granted to this connection; an adapter requests no field beyond them. */
  readonly capabilities: readonly Capability[];
}

export interface ProviderAccount extends ConsentedProfile {
  /** The provider's id of the user behind the account, equal for accounts that share one consent; null when unknown. */
  readonly providerUserKey: string | null;
}

export interface ListRequest {
  /** Inclusive start and exclusive end of the publication window. */
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
  /** The adapter's cursor from the last page (it contains no token); null for the first page. */
  readonly cursor: string | null;
  /** The maximum number of posts, as `takeItems` counts them; a page may have fewer. */
  readonly maxItems: number;
  readonly withMetrics: boolean;
  /**
   * Also reads far beyond the window's start, for posts that the provider lists among older ones. Costs up to 45 calls where
   * a listing is not strictly by time.
   */
  readonly isDeep?: boolean;
}

export interface ListPage {
  /** Posts inside the window, and posts without a publication time (deleted posts may lack one). */
  readonly items: readonly ContentObservation[];
  /** The next cursor; null when the window is exhausted or the provider cannot continue. */
  readonly nextCursor: string | null;
  /**
   * The failure that ended the page early. `items` are the posts that were read before it, and the cursor continues after
   * them.
   */
  readonly interruption?: ProviderError;
  /**
   * With an `interruption`: the provider has no list of posts for the account. That can pass; of an account of which nothing
   * was ever stored, it is an empty list.
   */
  readonly isListMissing?: true;
  /** Set with a null `nextCursor` when the provider ended the listing before the window was covered. */
  readonly incompleteReason: Extract<ScanIncompleteReason, "UPSTREAM_PAGE_LIMIT" | "UPSTREAM_WINDOW_LIMIT"> | null;
}

export interface ReadRequest {
  readonly providerContentIds: readonly string[];
  readonly withMetrics: boolean;
}

export interface ReadPage {
  readonly items: readonly ContentObservation[];
  /**
   * Ids that could not be read, although others could, or the only id if the provider refuses to show it.
   */
  readonly unreadable: readonly string[];
  /**
   * Ids that the provider does not show for one of several causes, of which deletion is one. Only a listing that covers the
   * post's time proves that it is deleted. Ids that are in no list do not exist at the provider, or are not the account's.
   */
  readonly unproven?: readonly string[];
  /** The refusal of the only post, or of its numbers. */
  readonly refusal?: ProviderError | null;
}

export interface LookupRequest {
  /** What the domain's URL rule extracted: a post id, or a short code where the provider has those. */
  readonly target: { readonly kind: "id" | "shortcode"; readonly value: string };
  readonly withMetrics: boolean;
}

export type LookupOutcome =
  | { readonly outcome: "found"; readonly item: ContentObservation }
  | { readonly outcome: "not-found" }
  /** The provider does not show the post, for one of several causes: see `ReadPage`. */
  | { readonly outcome: "unproven" }
  /** The provider has the post and does not show it. */
  | { readonly outcome: "refused"; readonly refusal?: ProviderError | null }
  | { readonly outcome: "not-owned" };

export interface DeauthorizedAccount {
  /** Compare with `providerUserKey` and with `providerAccountId`: providers scope this id to the application. */
  readonly providerUserId: string;
  /**
   * When the provider signed it; a callback older than the grant concerns an earlier grant. null when it has no time: it is
   * refused.
   */
  readonly issuedAt: Date | null;
}

export interface WebhookMessage {
  readonly header: (name: string) => string | undefined;
  /** Unchanged: the signature covers its bytes. */
  readonly body: Buffer;
}

/** A webhook with a valid signature. */
export interface Webhook {
  readonly signedAt: Date;
  /** The client that the message names; without one it is refused. */
  readonly clientId: string | null;
  /** `other`: an event that the service does not use. `malformed`: the user is missing. */
  readonly event: "authorization-removed" | "other" | "malformed";
  /** The user of `authorization-removed`. */
  readonly account: DeauthorizedAccount | null;
}

/**
 * How an upstream call failed, in the terms on which use cases decide:
 * - `grant_gone`: the user or the provider ended the grant; only a reconnect helps. `appRemoved` when the provider reports that the user removed the app
 * - `access_expired`: the access token is invalid, a refresh may help
 * - `scope_missing`: the grant is valid but does not cover this call
 * - `account_unreadable`: the account is suspended, closed, blocked by its organization or of the wrong type: only the person can
 *   change that
 * - `rate_limited`: retry later; `retryAfterSeconds` if the provider sent it
 * - `unavailable`: 5xx, timeout, truncated or unreadable response: retry later
 * - `application_refused`: the provider refuses the registration's client, for every account: an operator has to act
 * - `rejected`: this request is permanently refused (bad request, used code)
 * - `internal`: a fault of this service, its settings or its machine; the provider has nothing to do with it
 */
export type ProviderErrorKind = keyof typeof ERROR_OWNERS;

/** Whose each kind of failure is. The circuit breaker counts only the provider's own: an account's outage stops no other account. */
export const ERROR_OWNERS = {
  grant_gone: "grant",
  access_expired: "grant",
  scope_missing: "grant",
  account_unreadable: "account",
  rate_limited: "limit",
  unavailable: "provider",
  application_refused: "application",
  rejected: "call",
  internal: "service",
} as const;

/** The machine-readable part of a provider's error response. */
export interface Refusal {
  readonly status: number;
  /** The response's first error code, e.g. `invalid_client`; null when it has none that is printable. */
  readonly code: string | null;
  /** Cleaned; see `refusalOf`. */
  readonly message?: string | null;
}

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly retryAfterSeconds: number | null;
  readonly appRemoved: boolean;
  /** null when there was no response. */
  readonly refusal: Required<Refusal> | null;
  /** The kind of the failed call, where a function of the adapter makes several. */
  call?: CallKind;
  /** The provider says that the failure passes. */
  readonly isTransient: boolean;
  /** The provider has not received the request. */
  readonly isUnsent: boolean;

  /** `message` is for operators: an error code or status of the provider, never a token, body or URL. */
  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: {
      retryAfterSeconds?: number | null;
      appRemoved?: boolean;
      refusal?: Refusal | null;
      isTransient?: boolean;
      isUnsent?: boolean;
    } = {},
  ) {
    super(message);
    this.name = "ProviderError";
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.appRemoved = options.appRemoved ?? false;
    this.isTransient = options.isTransient ?? false;
    this.isUnsent = options.isUnsent ?? false;
    const { status, code, message: sent } = options.refusal ?? {};
    this.refusal =
      status === undefined
        ? null
        : withMessage({ status, code: code == null ? null : printableCode(code) }, refusalMessage(sent));
  }
}

/** Not enumerable: the message is for the panel, and no log line shows it with the error. */
function withMessage(refusal: Omit<Refusal, "message">, message: string | null): Required<Refusal> {
  return Object.defineProperty(refusal, "message", { value: message }) as Required<Refusal>;
}
