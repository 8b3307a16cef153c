import { isWritable } from "@social-connect/domain";
import { AuthorizationResponseError, validateAuthResponse } from "oauth4webapi";
import { isAccountCode, isApplicationCode } from "./accountState.ts";
import {
  type AuthorizationRequest,
  type CodeExchange,
  ProviderError,
  type ProviderTokens,
  type RegistrationAccess,
  type StoredTokens,
} from "./contract.ts";
import { errorLabel } from "./errorLabel.ts";
import { callProvider, type HttpAnswer, refusalOf } from "./httpJson.ts";
import { capabilitiesOf } from "./scopes.ts";

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
  readonly clientCredentials: (registration: RegistrationAccess) => Readonly<Record<string, string>>;
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

/** The credentials in the form (RFC 6749 2.3.1). */
export function clientSecretPost({ clientId, clientSecret }: RegistrationAccess) {
  return { client_id: clientId, client_secret: clientSecret };
}

/** Checks the callback (state, `iss`, errors, duplicate parameters), then exchanges its code. */
export async function exchangeAuthorizationCode(
  registration: RegistrationAccess,
  request: CodeExchange,
  profile: TokenProfile,
): Promise<TokenAnswer> {
  return askForTokens(registration, profile, "authorization_code", {
    code: codeIn(registration, request),
    // The browser may have used a proxy's URL; the redirect URI must be the registered one.
    redirect_uri: request.redirectUri,
    ...(request.codeVerifier === null ? {} : { code_verifier: request.codeVerifier }),
  });
}

export async function refreshGrant(
  registration: RegistrationAccess,
  { refreshToken }: StoredTokens,
  profile: TokenProfile,
): Promise<ProviderTokens> {
  if (refreshToken === null) throw new ProviderError("grant_gone", "there is no refresh token");
  const answer = await askForTokens(registration, profile, "refresh_token", { refresh_token: refreshToken });
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
    refreshTokenExpiresAt: at(answer.refreshExpiresInSeconds),
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
  const refusal = refusalOf(answer, code);
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

/**
 * Sent without the library: each provider differs from RFC 6749 at its token endpoint, in the names of parameters, the
 * envelope, the status of an error or the types of its numbers.
 */
async function askForTokens(
  registration: RegistrationAccess,
  profile: TokenProfile,
  grantType: GrantType,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const form = { grant_type: grantType, ...parameters, ...profile.clientCredentials(registration) };
  const answer = await callProvider(registration, { method: "POST", address: registration.addresses.token, form });
  const tokens = profile.readTokenAnswer(answer, grantType);
  if (tokens.tokenType !== null && tokens.tokenType.toLowerCase() !== "bearer") {
    throw new ProviderError("rejected", `${grantType} refused: the token is not a bearer token`);
  }
  return tokens;
}

/** The code of a callback that has passed its checks. */
function codeIn({ addresses, clientId }: RegistrationAccess, { callbackUrl, state }: CodeExchange): string {
  const server = { issuer: addresses.issuer ?? new URL(addresses.authorization).origin };
  try {
    const parameters = validateAuthResponse(server, { client_id: clientId }, callbackUrl, state);
    const [code, ...others] = parameters.getAll("code");
    if (code && others.length === 0) return code;
  } catch (error) {
    if (error instanceof AuthorizationResponseError) {
      throw new ProviderError("rejected", `the callback carried the error ${errorLabel(error.error)}`);
    }
    // The library's message names the parameter, without its value.
    throw new ProviderError(
      "rejected",
      `the callback is not valid: ${error instanceof Error ? error.message : "unknown"}`,
    );
  }
  throw new ProviderError("rejected", "the callback needs one code");
}
