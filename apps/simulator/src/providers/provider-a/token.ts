import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import type { TokenRefusal, TokenRules } from "../../oauth/tokenRoutes.ts";
import { SECOND_MS } from "../../shared/clock.ts";
import { jsonResponse } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";

/** As in recorded responses. */
const ACCESS_SECONDS = PROVIDER_FIXTURES.PROVIDER_A.accessTokenSeconds;

const REFUSALS: Partial<Record<TokenRefusal, readonly [error: string, description: string]>> = {
  "bad-form": ["invalid_request", "Bad Request"],
  "wrong-redirect": ["redirect_uri_mismatch", "Bad Request"],
  "wrong-verifier": ["invalid_grant", "Invalid code verifier."],
  used: ["invalid_grant", "Bad Request"],
  "unknown-refresh-token": ["invalid_grant", "Bad Request"],
  "ended-refresh-token": ["invalid_grant", "Token has been expired or revoked."],
};

/** Code exchange and refresh of provider A: `POST /token`. */
export const TOKENS: TokenRules = {
  provider: "provider-a",
  client: { idField: "client_id", basic: true },
  challengeEncoding: "base64url",
  // A refresh returns no refresh token: the existing one stays valid.
  replacesRefreshToken: "if-scripted",
  errors: SIGN_IN_ERRORS,
  refuse: (reason, form) => {
    if (reason === "bad-credentials") return oauthError("invalid_client", "Unauthorized", 401);
    const grantType = form?.get("grant_type") ?? "";
    if (reason === "bad-grant-type") return oauthError("unsupported_grant_type", `Invalid grant_type: ${grantType}`);
    return oauthError(...(REFUSALS[reason] ?? (["invalid_grant", "Malformed auth code."] as const)));
  },
  // Only some refresh tokens expire, and then the response names the end.
  refreshExpiresAt: ({ clock }, { script: { refreshTokenSeconds } }) =>
    refreshTokenSeconds === undefined ? null : new Date(clock.now().getTime() + refreshTokenSeconds * SECOND_MS),
  issue: (world, grant, account, withRefreshToken) => {
    const accessToken = `ya29.a0${unguessable(96)}`;
    const lifetimeSeconds = account.script.accessTokenSeconds ?? ACCESS_SECONDS;
    world.grants.issue(grant, "access", accessToken, lifetimeSeconds);
    const refreshToken = `1//0${unguessable(60)}`;
    const { refreshExpiresAt } = grant;
    const refreshSeconds =
      refreshExpiresAt === null
        ? null
        : Math.max(0, Math.floor((Date.parse(refreshExpiresAt) - world.clock.now().getTime()) / SECOND_MS));
    if (withRefreshToken) world.grants.issue(grant, "refresh", refreshToken, refreshSeconds);
    return jsonResponse({
      access_token: accessToken,
      expires_in: lifetimeSeconds,
      ...(withRefreshToken ? { refresh_token: refreshToken } : {}),
      ...(refreshSeconds === null ? {} : { refresh_token_expires_in: refreshSeconds }),
      scope: grant.scopes.join(" "),
      token_type: "Bearer",
    });
  },
};
