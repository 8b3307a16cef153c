import * as openId from "openid-client";
import { newSecretHex } from "../../platform/ids.ts";
import { secondsAheadOfMachine } from "../../platform/time/machineTime.ts";
import type { IssuerAccess, Service } from "../service.ts";
import { readAccount, requireOwnToken } from "./claims.ts";
import { challengeMethodOf, responseModeOf, scopeOf } from "./issuerMetadata.ts";
import { discoverIssuer, issuerFailure, withAcceptedClient } from "./openIdProvider.ts";

/** What must be remembered from the redirect to the callback; encrypted in the row. */
export type ExchangeSecrets = ReturnType<typeof newExchangeSecrets>;

export function newExchangeSecrets() {
  return { nonce: newSecretHex(), codeVerifier: openId.randomPKCECodeVerifier() };
}

/** The URL of the sign-in page: code flow with state, nonce and PKCE (OpenID Connect Core 3.1). */
export async function authorizationUrl(
  issuer: IssuerAccess,
  configuration: openId.Configuration,
  request: {
    readonly redirectUri: string;
    readonly scopes: readonly string[];
    readonly state: string;
    readonly secrets: ExchangeSecrets;
    readonly parameters?: Readonly<Record<string, string>>;
  },
): Promise<URL> {
  const { redirectUri, scopes, state, secrets, parameters } = request;
  const metadata = configuration.serverMetadata();
  const method = challengeMethodOf(metadata);
  const responseMode = responseModeOf(metadata, issuer);
  return openId.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: scopeOf(metadata, scopes),
    state,
    nonce: secrets.nonce,
    code_challenge:
      method === "plain" ? secrets.codeVerifier : await openId.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: method,
    ...(responseMode === null ? {} : { response_mode: responseMode }),
    ...parameters,
  });
}

/**
 * Exchanges the code of a callback and validates the ID token (OpenID Connect Core 3.1.3.7). Throws for every error.
 * `authenticatedAtSeconds` is null when the issuer does not report it.
 */
export async function signInAtIssuer(
  service: Service,
  issuer: IssuerAccess,
  callback: {
    readonly redirectUri: string;
    readonly query: URLSearchParams;
    readonly state: string;
    readonly secrets: ExchangeSecrets;
    readonly maxAge?: number;
  },
) {
  const { redirectUri, query, state, secrets, maxAge } = callback;
  const clockSkewSeconds = secondsAheadOfMachine(await service.clock.now());
  const discovered = await discoverIssuer(issuer, { clockSkewSeconds });
  const checks = {
    expectedState: state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.codeVerifier,
    idTokenExpected: true,
    ...(maxAge === undefined ? {} : { maxAge }),
  };
  const url = new URL(`${redirectUri}?${query}`);
  const { configuration, answer } = await withAcceptedClient(issuer, discovered, clockSkewSeconds, (one) =>
    openId.authorizationCodeGrant(one, url, checks),
  );
  const claims = answer.claims();
  if (claims === undefined) throw new openId.ClientError("no ID token");
  requireOwnToken(claims, issuer.clientId);
  const userInfo = await readUserInfo(service, configuration, answer.access_token, claims.sub);
  return { ...readAccount(claims, userInfo), authenticatedAtSeconds: claims.auth_time ?? null };
}

/** The person waits for it, and can do without it. */
const USER_INFO_TIMEOUT_SECONDS = 5;

/** Optional: a failure adds no claims. Only a response about another subject is an error, because the issuer contradicts itself. */
async function readUserInfo(
  { logger }: Service,
  configuration: openId.Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (!configuration.serverMetadata().userinfo_endpoint) return {};
  configuration.timeout = USER_INFO_TIMEOUT_SECONDS;
  try {
    return await openId.fetchUserInfo(configuration, accessToken, subject);
  } catch (error) {
    const reason = issuerFailure(error);
    if (reason === ANOTHER_SUBJECT) throw error;
    logger.warn({ reason }, "the issuer's UserInfo was not used");
    return {};
  }
}

const ANOTHER_SUBJECT = "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
