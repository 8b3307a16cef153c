/** How tests call a provider, and how its responses differ. One file of each provider's folder has its values. */
export interface TestWire {
  readonly clientParameter: "client_id" | "client_key";
  readonly scopeSeparator: " " | ",";
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** The encoding of a PKCE challenge; null without PKCE. */
  readonly challengeEncoding: "base64url" | "hex" | null;
  /** The URL that exchanges the first token for the token to store; absent without such a step. */
  readonly tokenExchangeUrl?: (api: string, accessToken: string, clientSecret: string) => string;
  /** The URL that renews an access token; absent where the token endpoint takes refresh tokens. */
  readonly renewalUrl?: (api: string, accessToken: string) => string;
  /** A read of the profile that every grant covers. */
  readonly profilePath: string;
  /** A content call that every account can make. */
  readonly list: (accountId: string) => TestCall;
  readonly anyContent: TestCall;
  readonly readPost: (postId: string) => TestCall;
  readonly accountIdForm: RegExp;
  /** The scopes that the script `no-scopes` leaves. */
  readonly leastScopes: string;
  readonly rateLimitStatus: number;
  /** Expected after a person removed the app, and after a changed password. */
  readonly removedApp: ExpectedResponse;
  readonly changedPassword: ExpectedResponse;
  /** Expected of the list of an account without posts. */
  readonly emptyList: ExpectedResponse;
}

export interface TestCall {
  readonly path: string;
  readonly body?: unknown;
}

export interface ExpectedResponse {
  readonly status: number;
  readonly values: Readonly<Record<string, unknown>>;
}
