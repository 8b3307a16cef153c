import { isRecord } from "../coerce.ts";
import type {
  AuthorizationRequest,
  CodeExchange,
  ProviderTokens,
  RegistrationAccess,
  StoredTokens,
} from "../contract.ts";
import { ProviderError } from "../contract.ts";
import { callProvider } from "../httpJson.ts";
import type { TokenProfile } from "../oauth.ts";
import { consentAddress, exchangeAuthorizationCode, providerTokens, refreshWith } from "../oauth.ts";
import { grantedScopes, requestedScopes } from "../scopes.ts";
import { errorCode, saysTokenIsDead, tokenFailure } from "./errors.ts";
import { tokenWire } from "./wire.ts";

const profile: TokenProfile = {
  // The client id travels as `client_key`.
  clientAuthentication: (registration) => (_server, _client, body) => {
    for (const [name, value] of Object.entries(clientCredentials(registration))) body.set(name, value);
  },
  readTokenAnswer(answer, grantType) {
    // Flat as documented on the token page, or inside `data` as an older page prints it.
    const wire = tokenWire.parse(isRecord(answer.body) && isRecord(answer.body.data) ? answer.body.data : answer.body);
    if (!answer.ok || errorCode(answer.body) !== null || wire.access_token === null)
      throw tokenFailure(answer, grantType);
    return {
      accessToken: wire.access_token,
      tokenType: wire.token_type,
      expiresInSeconds: wire.expires_in,
      refreshToken: wire.refresh_token,
      refreshExpiresInSeconds: wire.refresh_expires_in,
      scopes: grantedScopes(wire.scope),
      accountId: wire.open_id,
    };
  },
};

/** The provider wants the challenge in hexadecimal, calls that S256 too, and refuses the code of one in base64url. */
export async function authorizationUrl(registration: RegistrationAccess, request: AuthorizationRequest): Promise<URL> {
  const codeChallenge =
    request.codeChallenge === null ? null : Buffer.from(request.codeChallenge, "base64url").toString("hex");
  return consentAddress(
    registration,
    { ...request, codeChallenge },
    {
      client_key: registration.clientId,
      scope: requestedScopes(registration.scopes, request.capabilities).join(","),
    },
  );
}

export async function exchangeCode(registration: RegistrationAccess, request: CodeExchange): Promise<ProviderTokens> {
  const answer = await exchangeAuthorizationCode(registration, request, profile);
  // The callback tells the granted scopes too, for an answer that does not.
  const scopes = answer.scopes ?? grantedScopes(request.callbackUrl.searchParams.get("scopes"));
  return providerTokens(registration, { ...answer, scopes });
}

export async function refreshTokens(registration: RegistrationAccess, tokens: StoredTokens): Promise<ProviderTokens> {
  if (tokens.refreshToken === null) throw new ProviderError("grant_gone", "there is no refresh token to go on with");
  return providerTokens(registration, await refreshWith(registration, tokens.refreshToken, profile));
}

/**
 * Takes the access token, which has to be alive (`traits.revokeNeedsLiveAccessToken`): the refusal of an expired one
 * would look like a grant that is already gone, while its refresh token lives on. It is not refreshed here, because the
 * rotated refresh token would be lost if the revocation then failed.
 */
export async function revoke(registration: RegistrationAccess, tokens: StoredTokens): Promise<void> {
  const address = registration.addresses.revocation;
  if (address === undefined) throw new ProviderError("rejected", "the registration has no revocation address");
  const expiresAt = tokens.accessTokenExpiresAt;
  if (tokens.refreshToken !== null && expiresAt !== null && expiresAt <= registration.now) {
    throw new ProviderError("access_expired", "the access token has to be refreshed before it can be revoked");
  }
  const form = { ...clientCredentials(registration), token: tokens.accessToken };
  const answer = await callProvider(registration, { method: "POST", address, form });
  const readable = answer.empty || isRecord(answer.body);
  if (answer.ok && readable && errorCode(answer.body) === null) return;
  if (saysTokenIsDead(answer)) throw new ProviderError("grant_gone", "the token was dead already");
  throw tokenFailure(answer, "revocation");
}

function clientCredentials(registration: RegistrationAccess) {
  return { client_key: registration.clientId, client_secret: registration.clientSecret };
}
