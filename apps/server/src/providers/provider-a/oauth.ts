import { foreignScopes } from "@social-connect/domain";
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
  clientSecretPost,
  consentUrl,
  exchangeAuthorizationCode,
  providerTokens,
  refreshGrant,
  revocationUrl,
  type TokenProfile,
} from "../oauth.ts";
import { requestedScopes } from "../scopes.ts";
import { oauthErrorCode, tokenFailure } from "./errors.ts";
import { tokenWire } from "./wire.ts";

const profile: TokenProfile = {
  clientCredentials: clientSecretPost,
  readTokenAnswer(answer, grantType) {
    const wire = tokenWire.parse(answer.body);
    if (!answer.ok || wire.access_token === null) throw tokenFailure(answer, grantType);
    return {
      accessToken: wire.access_token,
      tokenType: wire.token_type,
      expiresInSeconds: wire.expires_in,
      refreshToken: wire.refresh_token,
      refreshExpiresInSeconds: wire.refresh_token_expires_in,
      scopes: foreignScopes(wire.scope),
      accountId: null,
    };
  },
};

/**
 * `access_type=offline` requests a refresh token; without `prompt=consent` a second consent would not return one. Without
 * `select_account` the provider skips the page of accounts and channels, and takes the wrong channel of a person who has
 * several.
 */
export async function authorizationUrl(registration: RegistrationAccess, request: AuthorizationRequest): Promise<URL> {
  return consentUrl(registration, request, {
    client_id: registration.clientId,
    scope: requestedScopes(registration.scopes, request.capabilities).join(" "),
    access_type: "offline",
    prompt: "consent select_account",
  });
}

export async function exchangeCode(registration: RegistrationAccess, request: CodeExchange): Promise<ProviderTokens> {
  return providerTokens(registration, await exchangeAuthorizationCode(registration, request, profile));
}

export async function refreshTokens(registration: RegistrationAccess, tokens: StoredTokens): Promise<ProviderTokens> {
  return refreshGrant(registration, tokens, profile);
}

/** Either token revokes the grant. An invalid token counts as revoked. */
export async function revoke(registration: RegistrationAccess, tokens: StoredTokens): Promise<void> {
  const address = revocationUrl(registration);
  const form = { token: tokens.refreshToken ?? tokens.accessToken };
  const answer = await callProvider(registration, { method: "POST", address, form });
  if (answer.ok) return;
  const code = oauthErrorCode(answer.body);
  if (code === "invalid_token" || code === "invalid_grant") {
    throw new ProviderError("grant_gone", "the token was already invalid");
  }
  throw tokenFailure(answer, "revocation");
}
