import { foreignScopes } from "@social-connect/domain";
import { isRecord } from "../coerce.ts";
import {
  type AuthorizationRequest,
  type CodeExchange,
  ProviderError,
  type ProviderTokens,
  type RegistrationAccess,
  type StoredTokens,
} from "../contract.ts";
import { callProvider } from "../httpJson.ts";
import {
  consentUrl,
  exchangeAuthorizationCode,
  providerTokens,
  refreshGrant,
  revocationUrl,
  type TokenProfile,
} from "../oauth.ts";
import { requestedScopes } from "../scopes.ts";
import { errorCode, isInvalidToken, tokenFailure } from "./errors.ts";
import { tokenWire } from "./wire.ts";

/** For a response without a lifetime (RFC 6749, 5.1). A revocation with a token that expired unnoticed would revoke nothing. */
const DOCUMENTED_LIFETIME_SECONDS = 24 * 60 * 60;

const profile: TokenProfile = {
  // The parameter of the client id is `client_key`.
  clientCredentials,
  readTokenAnswer(answer, grantType) {
    // Flat as documented on the token page, or inside `data` as on an older page.
    const wire = tokenWire.parse(isRecord(answer.body) && isRecord(answer.body.data) ? answer.body.data : answer.body);
    if (!answer.ok || errorCode(answer.body) !== null || wire.access_token === null)
      throw tokenFailure(answer, grantType);
    return {
      accessToken: wire.access_token,
      tokenType: wire.token_type,
      expiresInSeconds: wire.expires_in ?? DOCUMENTED_LIFETIME_SECONDS,
      refreshToken: wire.refresh_token,
      refreshExpiresInSeconds: wire.refresh_expires_in,
      scopes: foreignScopes(wire.scope),
      accountId: wire.open_id,
    };
  },
};

/**
 * The provider expects the challenge in hexadecimal, also calls it S256, and rejects base64url at the code exchange. Without
 * `disable_auto_auth` it skips its page, and takes the account that is signed in.
 */
export async function authorizationUrl(registration: RegistrationAccess, request: AuthorizationRequest): Promise<URL> {
  const codeChallenge =
    request.codeChallenge === null ? null : Buffer.from(request.codeChallenge, "base64url").toString("hex");
  return consentUrl(
    registration,
    { ...request, codeChallenge },
    {
      client_key: registration.clientId,
      scope: requestedScopes(registration.scopes, request.capabilities).join(","),
      disable_auto_auth: "1",
    },
  );
}

export async function exchangeCode(registration: RegistrationAccess, request: CodeExchange): Promise<ProviderTokens> {
  const answer = await exchangeAuthorizationCode(registration, request, profile);
  // The callback also has the granted scopes, for a response without them.
  const scopes = answer.scopes ?? foreignScopes(request.callbackUrl.searchParams.get("scopes"));
  return providerTokens(registration, { ...answer, scopes });
}

export async function refreshTokens(registration: RegistrationAccess, tokens: StoredTokens): Promise<ProviderTokens> {
  return refreshGrant(registration, tokens, profile);
}

/**
 * Requires a valid access token (`traits.revokeNeedsLiveAccessToken`): the rejection of an expired one is the same as
 * for a revoked grant, although its refresh token remains valid. It is not refreshed here, because the rotated refresh
 * token would be lost if the revocation then failed.
 */
export async function revoke(registration: RegistrationAccess, tokens: StoredTokens): Promise<void> {
  const address = revocationUrl(registration);
  const expiresAt = tokens.accessTokenExpiresAt;
  if (tokens.refreshToken !== null && expiresAt !== null && expiresAt <= registration.now) {
    throw new ProviderError("access_expired", "the access token has to be refreshed before it can be revoked");
  }
  const form = { ...clientCredentials(registration), token: tokens.accessToken };
  const answer = await callProvider(registration, { method: "POST", address, form });
  const readable = answer.empty || isRecord(answer.body);
  if (answer.ok && readable && errorCode(answer.body) === null) return;
  if (isInvalidToken(answer)) throw new ProviderError("grant_gone", "the token was already invalid");
  throw tokenFailure(answer, "revocation");
}

function clientCredentials(registration: RegistrationAccess) {
  return { client_key: registration.clientId, client_secret: registration.clientSecret };
}
