import { isWritable } from "@social-connect/domain";
import * as client from "openid-client";
import { isAccountCode, isApplicationCode } from "./accountState.ts";
import type {
  AuthorizationRequest,
  CodeExchange,
  ProviderTokens,
  RegistrationAccess,
  StoredTokens,
} from "./contract.ts";
import { ProviderError } from "./contract.ts";
import { errorLabel } from "./errorLabel.ts";
import type { HttpAnswer } from "./httpJson.ts";
import { readAnswer, send, transportFailure } from "./httpJson.ts";
import { capabilitiesOf } from "./scopes.ts";
import { providerErrorOf } from "./serviceFault.ts";

/** The contents of a token response in any format; null for what is missing. */
export interface TokenAnswer {
  readonly accessToken: string;
  readonly tokenType: string | null;
  readonly expiresInSeconds: number | null;
  readonly refreshToken: string | null;
  readonly refreshExpiresInSeconds: number | null;
  readonly scopes: readonly string[] | null;
  readonly accountId: string | null;
}

export type GrantType = "authorization_code" | "refresh_token";

/** How a wire profile differs from RFC 6749 at the token endpoint. */
export interface TokenProfile {
  readonly clientAuthentication: (registration: RegistrationAccess) => client.ClientAuth;
  /** Reads a response of any status; throws ProviderError when it has no tokens. */
  readonly readTokenAnswer: (answer: HttpAnswer, grantType: GrantType) => TokenAnswer;
}

/** The URL of the consent page (RFC 6749 4.1.1). The profile names the parameters. */
export function consentUrl(
  registration: RegistrationAccess,
  request: AuthorizationRequest,
  parameters: Readonly<Record<string, string>>,
): URL {
  const url = new URL(registration.addresses.authorization);
  const common = { response_type: "code", redirect_uri: request.redirectUri, state: request.state };
  const challenge: Readonly<Record<string, string>> =
    request.codeChallenge === null ? {} : { code_challenge: request.codeChallenge, code_challenge_method: "S256" };
  for (const [name, value] of Object.entries({ ...parameters, ...common, ...challenge })) {
    url.searchParams.set(name, value);
  }
  return url;
}

/** Checks the callback (state, `iss`, errors, duplicate parameters), then exchanges its code. */
export async function exchangeAuthorizationCode(
  registration: RegistrationAccess,
  request: CodeExchange,
  profile: TokenProfile,
): Promise<TokenAnswer> {
  // The browser may have used a proxy's URL; the redirect URI must be the registered one.
  const callback = new URL(request.redirectUri);
  callback.search = request.callbackUrl.search;
  const checks = {
    expectedState: request.state,
    ...(request.codeVerifier === null ? {} : { pkceCodeVerifier: request.codeVerifier }),
  };
  return atTokenEndpoint(registration, profile, "authorization_code", (configuration) =>
    client.authorizationCodeGrant(configuration, callback, checks),
  );
}

export async function refreshGrant(
  registration: RegistrationAccess,
  { refreshToken }: StoredTokens,
  profile: TokenProfile,
): Promise<ProviderTokens> {
  if (refreshToken === null) throw new ProviderError("grant_gone", "there is no refresh token");
  const answer = await atTokenEndpoint(registration, profile, "refresh_token", (configuration) =>
    client.refreshTokenGrant(configuration, refreshToken),
  );
  return providerTokens(registration, answer);
}

export function revocationUrl({ addresses }: RegistrationAccess): string {
  if (addresses.revocation === undefined) throw new ProviderError("rejected", "the registration has no revocation URL");
  return addresses.revocation;
}

/** Tokens with dates, and the capabilities of the granted scopes. */
export function providerTokens(registration: RegistrationAccess, answer: TokenAnswer): ProviderTokens {
  // A lifetime beyond the range of dates is unknown.
  const at = (seconds: number | null): Date | null => {
    const end = new Date(registration.now.getTime() + Math.max(seconds ?? Number.NaN, 0) * 1_000);
    return isWritable(end) ? end : null;
  };
  return {
    accessToken: answer.accessToken,
    accessTokenExpiresAt: at(answer.expiresInSeconds),
    refreshToken: answer.refreshToken,
    refreshTokenExpiresAt: answer.refreshToken === null ? null : at(answer.refreshExpiresInSeconds),
    grantedCapabilities: answer.scopes === null ? null : capabilitiesOf(registration.scopes, answer.scopes),
    providerAccountId: answer.accountId,
  };
}

const LATER = ["temporarily_unavailable", "server_error", "internal_failure", "internal_error", "backend_error"];
const TOO_MANY = ["rate_limit_exceeded", "rate_limited", "slow_down", "too_many_requests"];
/** RFC 6749 5.2: a refusal of this request, with any status. */
const REFUSED = ["invalid_request", "invalid_grant", "unsupported_grant_type", "invalid_scope"];

/**
 * A refusal by a token or revocation endpoint (RFC 6749 5.2), by its code, then by its status; descriptions vary.
 * `invalid_grant` means the end of the grant only for a refresh; at an exchange it refuses the code.
 */
export function oauthFailure(
  code: string | null,
  answer: HttpAnswer,
  grantType: GrantType | "revocation",
): ProviderError {
  const refusal = { status: answer.status, code };
  const options = { retryAfterSeconds: answer.retryAfterSeconds, refusal };
  const message = `${grantType} refused: ${errorLabel(code)} (HTTP ${answer.status})`;
  if (code === "invalid_grant" && grantType === "refresh_token")
    return new ProviderError("grant_gone", message, { refusal });
  if (code !== null && isApplicationCode(code)) return new ProviderError("application_refused", message, options);
  if (code !== null && isAccountCode(code)) return new ProviderError("account_unreadable", message, { refusal });
  if (REFUSED.includes(code ?? "")) return new ProviderError("rejected", message, { refusal });
  if (TOO_MANY.includes(code ?? "")) return new ProviderError("rate_limited", message, options);
  if (LATER.includes(code ?? "")) return new ProviderError("unavailable", message, options);
  if (answer.status === 429) return new ProviderError("rate_limited", message, options);
  // Neither tokens nor a readable error: a proxy's page or a truncated body. The grant's state is unknown, so it is
  // retained.
  if (answer.status >= 500 || code === null) return new ProviderError("unavailable", message, options);
  return new ProviderError("rejected", message, { refusal });
}

async function atTokenEndpoint(
  registration: RegistrationAccess,
  profile: TokenProfile,
  grantType: GrantType,
  grant: (configuration: client.Configuration) => Promise<unknown>,
): Promise<TokenAnswer> {
  const { addresses, clientId, now } = registration;
  const configuration = new client.Configuration(
    {
      issuer: addresses.issuer ?? new URL(addresses.authorization).origin,
      authorization_endpoint: addresses.authorization,
      token_endpoint: addresses.token,
    },
    clientId,
    undefined,
    profile.clientAuthentication(registration),
  );
  // The egress decides which plain http URLs may be called: only loopback.
  if (addresses.token.startsWith("http:")) client.allowInsecureRequests(configuration);
  let tokens: TokenAnswer | undefined;
  configuration[client.customFetch] = async (url, options) => {
    const origin = new URL(url).origin;
    const { method, headers, body, signal } = options;
    const init = { method, headers, redirect: "manual" as const, ...(signal ? { signal } : {}) };
    const response = await send(registration, url, { ...init, body: String(body) });
    const answer = await readAnswer(response, origin, now).catch((error: unknown) => {
      throw transportFailure(error, origin);
    });
    try {
      tokens = profile.readTokenAnswer(answer, grantType);
    } catch (error) {
      throw providerErrorOf(error);
    }
    // Only the members of RFC 6749. An id_token is dropped: it was not requested and is not used.
    return Response.json({
      access_token: tokens.accessToken,
      token_type: tokens.tokenType ?? "bearer",
      ...(tokens.refreshToken === null ? {} : { refresh_token: tokens.refreshToken }),
    });
  };
  try {
    await grant(configuration);
  } catch (error) {
    throw grantFailure(error, grantType);
  }
  if (tokens === undefined) throw new ProviderError("unavailable", `${grantType}: the token endpoint was not asked`);
  return tokens;
}

function grantFailure(error: unknown, grantType: GrantType): ProviderError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderError) return cause;
  }
  if (error instanceof client.AuthorizationResponseError) {
    return new ProviderError("rejected", `the callback carried the error ${errorLabel(error.error)}`);
  }
  if (error instanceof TypeError) return providerErrorOf(error);
  return new ProviderError("rejected", `${grantType} refused: ${error instanceof Error ? error.message : "unknown"}`);
}
