import type { MetricName, SocialProvider } from "@social-connect/contract";
import type { ContentFields } from "../content/contentFields.ts";

export interface ProviderTraits {
  /** The public API from which accounts and posts are read. Begins with the name of the platform. */
  readonly publicApi: string;
  /** Sends a PKCE S256 challenge (RFC 7636). */
  readonly pkce: boolean;
  /**
   * Whether every consent request lets the person choose the account, or only a request with a parameter for it: the provider
   * otherwise takes the account that is signed in in the browser.
   */
  readonly accountChoice: "always" | "on-request";
  /** The fragment of the redirect to the callback. Browsers carry it on to the return URL; empty for none. */
  readonly callbackFragment: string;
  readonly canRevoke: boolean;
  /**
   * Whether a revocation needs a valid access token. An expired token is refreshed and stored before the call, because the
   * provider reports success for an expired token without revoking the grant.
   */
  readonly revokeNeedsLiveAccessToken: boolean;
  /** One consent can cover several accounts, so revoking one can end the others: siblings are re-checked. */
  readonly revokeAffectsSiblings: boolean;
  /**
   * A refresh can use the refresh token up. Then a renewal whose answer was lost is never repeated: the old token sent
   * again would be treated as stolen (RFC 9700 4.14).
   */
  readonly rotatesRefreshToken: boolean;
  /** What renews the access token: a refresh token, which needs the client's secret, or the access token itself. */
  readonly renewsWith: "refresh-token" | "access-token";
  /** How many posts can be asked for by id in one call. */
  readonly readBatchSize: number;
  /** Renew this long before the access token ends, in milliseconds. */
  readonly renewBeforeMs: number;
  /** What the provider lets a client call, unless its registration says otherwise. */
  readonly quota: ProviderQuota;
  /** What this provider gives of each metric at best; UNSUPPORTED ones are never asked for. */
  readonly metrics: Readonly<Record<MetricName, "OFFERED" | "UNSUPPORTED">>;
  /** Fields of a post that its API does not have. */
  readonly absentFields: readonly (keyof ContentFields)[];
}

/** A budget of calls of the read API; token and revocation endpoints are not part of it. */
export interface ProviderQuota {
  /** Calls in one window. */
  readonly units: number;
  /** When the count resets: each minute, at midnight in UTC, or at midnight in the Pacific time zone. */
  readonly window: "minute" | "day" | "pacific-day";
  /** What has its own budget: the client, each read (path) of the API, or each account. */
  readonly per: "client" | "read" | "account";
  /** The part of it, from 0 to 1, that the service's own re-reads leave to what callers ask for. */
  readonly reserve: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ALL_OFFERED = { VIEWS: "OFFERED", LIKES: "OFFERED", COMMENTS: "OFFERED", SHARES: "OFFERED" } as const;

/** The traits of the providers' public APIs. The providers document the values. */
export const PROVIDER_TRAITS = {
  PROVIDER_A: {
    publicApi: "YouTube Data API v3",
    pkce: true,
    accountChoice: "always",
    callbackFragment: "",
    canRevoke: true,
    revokeNeedsLiveAccessToken: false,
    revokeAffectsSiblings: true,
    rotatesRefreshToken: false,
    renewsWith: "refresh-token",
    readBatchSize: 50,
    // Access tokens live about an hour.
    renewBeforeMs: 5 * MINUTE_MS,
    // What a project is given at first; every list call of the read API costs one unit.
    quota: { units: 10_000, window: "pacific-day", per: "client", reserve: 0.2 },
    metrics: { ...ALL_OFFERED, SHARES: "UNSUPPORTED" },
    absentFields: ["thumbnailUrl"],
  },
  PROVIDER_B: {
    publicApi: "TikTok Display API v2",
    pkce: true,
    accountChoice: "always",
    callbackFragment: "",
    canRevoke: true,
    revokeNeedsLiveAccessToken: true,
    revokeAffectsSiblings: true,
    rotatesRefreshToken: true,
    renewsWith: "refresh-token",
    readBatchSize: 20,
    // Access tokens live a day.
    renewBeforeMs: HOUR_MS,
    // Each read has its own limit.
    quota: { units: 600, window: "minute", per: "read", reserve: 0.2 },
    metrics: ALL_OFFERED,
    absentFields: [],
  },
  PROVIDER_C: {
    publicApi: "Instagram API with Instagram Login",
    pkce: false,
    // A request that asks for it makes the person sign in again.
    accountChoice: "on-request",
    callbackFragment: "#_",
    canRevoke: false,
    revokeNeedsLiveAccessToken: false,
    revokeAffectsSiblings: false,
    rotatesRefreshToken: false,
    renewsWith: "access-token",
    // One request a post; this many keep a call short.
    readBatchSize: 20,
    // Long-lived tokens live 60 days, can be renewed after the first day, and never once they have ended.
    renewBeforeMs: 20 * DAY_MS,
    // 4,800 calls in 24 hours for each impression of the account, at least one; the responses report more.
    quota: { units: 4_800, window: "day", per: "account", reserve: 0.2 },
    metrics: ALL_OFFERED,
    absentFields: ["title"],
  },
} as const satisfies Record<SocialProvider, ProviderTraits>;

/** A provider as people read it: its value in the API and its public API. */
export function providerName(provider: SocialProvider): string {
  return `${provider} · ${PROVIDER_TRAITS[provider].publicApi}`;
}

/** The platform, as its users know it. */
export function platformName(provider: SocialProvider): string {
  return PROVIDER_TRAITS[provider].publicApi.split(" ", 1).join();
}
