import { foreignScopes } from "@social-connect/domain";
import { isRecord } from "../coerce.ts";
import type {
  AuthorizationRequest,
  CodeExchange,
  ProviderTokens,
  RegistrationAccess,
  StoredTokens,
} from "../contract.ts";
import { callProvider, type HttpAnswer } from "../httpJson.ts";
import {
  clientSecretPost,
  consentUrl,
  exchangeAuthorizationCode,
  providerTokens,
  type TokenAnswer,
  type TokenProfile,
} from "../oauth.ts";
import { requestedScopes } from "../scopes.ts";
import { graphError, tokenFailure } from "./errors.ts";
import { tokenWire } from "./wire.ts";

/**
 * The lifetime of a token whose response has none: 60 days, as documented. A token that expires is lost, so without a time it would
 * never be renewed.
 */
const DOCUMENTED_LIFETIME_SECONDS = 5_184_000;

const profile: TokenProfile = {
  clientCredentials: clientSecretPost,
  readTokenAnswer: (answer) => readTokens(answer, false),
};

/** `force_reauth` makes the person sign in again, possibly with another account. */
export async function authorizationUrl(registration: RegistrationAccess, request: AuthorizationRequest): Promise<URL> {
  return consentUrl(
    registration,
    { ...request, codeChallenge: null },
    {
      client_id: registration.clientId,
      scope: requestedScopes(registration.scopes, request.capabilities).join(","),
      ...(request.isAccountChoice && { force_reauth: "true" }),
    },
  );
}

/**
 * The token that a code was exchanged for: a code is valid for one call, and the second step may have to be retried.
 */
const bought = new WeakMap<CodeExchange, TokenAnswer>();

/** A code is exchanged for a token of one hour, and that immediately for one of 60 days. */
export async function exchangeCode(registration: RegistrationAccess, request: CodeExchange): Promise<ProviderTokens> {
  const shortLived =
    bought.get(request) ?? (await exchangeAuthorizationCode(registration, withoutMarker(request), profile));
  bought.set(request, shortLived);
  const answer = await callProvider(registration, {
    method: "GET",
    address: graphUrl(registration, "access_token"),
    query: {
      grant_type: "ig_exchange_token",
      client_secret: registration.clientSecret,
      access_token: shortLived.accessToken,
    },
  });
  const longLived = readTokens(answer, false);
  return providerTokens(registration, {
    ...longLived,
    scopes: shortLived.scopes ?? longLived.scopes,
    accountId: shortLived.accountId ?? longLived.accountId,
  });
}

/** Renews the long-lived token itself: there is no refresh token, and an expired token cannot be renewed. */
export async function refreshTokens(registration: RegistrationAccess, tokens: StoredTokens): Promise<ProviderTokens> {
  const answer = await callProvider(registration, {
    method: "GET",
    address: graphUrl(registration, "refresh_access_token"),
    query: { grant_type: "ig_refresh_token", access_token: tokens.accessToken },
  });
  return providerTokens(registration, readTokens(answer, true));
}

function readTokens(answer: HttpAnswer, renewal: boolean): TokenAnswer {
  const { body } = answer;
  // Documented as a list of one inside `data`; also sent flat.
  const data = isRecord(body) ? body.data : undefined;
  const wire = tokenWire.parse(Array.isArray(data) ? data[0] : isRecord(data) ? data : body);
  if (!answer.ok || graphError(body) !== null || wire.access_token === null) throw tokenFailure(answer, renewal);
  return {
    accessToken: wire.access_token,
    tokenType: wire.token_type,
    expiresInSeconds: wire.expires_in ?? DOCUMENTED_LIFETIME_SECONDS,
    refreshToken: null,
    refreshExpiresInSeconds: null,
    scopes: foreignScopes(wire.permissions),
    accountId: wire.user_id,
  };
}

/** The graph's two token URLs have no version in their path; the read URL may have one. */
function graphUrl(registration: RegistrationAccess, path: string): string {
  return `${registration.addresses.api.replace(/\/v\d+\.\d+$/, "")}/${path}`;
}

/** The provider appends `#_` to the redirect; encoded into the code, it is not part of it. */
function withoutMarker(request: CodeExchange): CodeExchange {
  const codes = request.callbackUrl.searchParams.getAll("code");
  const [code] = codes;
  if (codes.length !== 1 || code === undefined || !code.endsWith("#_")) return { ...request, codeVerifier: null };
  const callbackUrl = new URL(request.callbackUrl);
  callbackUrl.searchParams.set("code", code.slice(0, -2));
  return { ...request, callbackUrl, codeVerifier: null };
}
