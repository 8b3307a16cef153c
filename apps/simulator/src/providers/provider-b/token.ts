import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import type { TokenRefusal, TokenRules } from "../../oauth/tokenRoutes.ts";
import { SECOND_MS } from "../../shared/clock.ts";
import { jsonResponse } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";

const { accessTokenSeconds: ACCESS_SECONDS, refreshTokenSeconds: REFRESH_SECONDS } = PROVIDER_FIXTURES.PROVIDER_B;

const REFUSALS: Partial<Record<TokenRefusal, readonly [error: string, description: string, status?: number]>> = {
  "bad-form": ["invalid_request", "The request parameters are malformed."],
  "bad-credentials": ["invalid_client", "Client key or secret is incorrect.", 401],
  "bad-grant-type": ["unsupported_grant_type", "The grant type is not supported."],
  "wrong-redirect": ["invalid_request", "Redirect_uri is not matched with the uri when requesting code."],
  "wrong-verifier": ["invalid_request", "Code verifier or code challenge is invalid."],
  "unknown-refresh-token": ["invalid_grant", "Refresh token is invalid or expired."],
  "ended-refresh-token": ["invalid_grant", "Refresh token is invalid or expired."],
};

/** Code exchange and refresh of provider B: `POST /v2/oauth/token/`. */
export const TOKENS: TokenRules = {
  provider: "provider-b",
  client: { idField: "client_key", basic: false },
  challengeEncoding: "hex",
  replacesRefreshToken: "always",
  errors: SIGN_IN_ERRORS,
  refuse: (reason) => {
    const [error, description, status] = REFUSALS[reason] ?? ["invalid_grant", "Authorization code is expired."];
    return oauthError(error, description, status);
  },
  // From the first issue; a refresh does not extend it.
  refreshExpiresAt: ({ clock }, { script }) =>
    new Date(clock.now().getTime() + (script.refreshTokenSeconds ?? REFRESH_SECONDS) * SECOND_MS),
  issue: (world, grant, account) => {
    const accessSeconds = account.script.accessTokenSeconds ?? ACCESS_SECONDS;
    const refreshEndsMs = Date.parse(grant.refreshExpiresAt ?? grant.createdAt);
    const refreshSeconds = Math.max(0, Math.floor((refreshEndsMs - world.clock.now().getTime()) / SECOND_MS));
    const accessToken = `act.${unguessable(44)}!${unguessable(3)}.e1`;
    const refreshToken = `rft.${unguessable(44)}!${unguessable(3)}.e1`;
    world.grants.issue(grant, "access", accessToken, accessSeconds);
    world.grants.issue(grant, "refresh", refreshToken, refreshSeconds);
    return jsonResponse({
      access_token: accessToken,
      expires_in: accessSeconds,
      open_id: account.accountId,
      refresh_expires_in: refreshSeconds,
      refresh_token: refreshToken,
      scope: grant.scopes.join(","),
      token_type: "Bearer",
    });
  },
};
