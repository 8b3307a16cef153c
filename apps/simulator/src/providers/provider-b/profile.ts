import { PROVIDER_FIXTURES, scopesByCapability } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import { type AuthorizationRules, authorizationRoutes } from "../../consent/authorize.ts";
import { authenticateClient } from "../../oauth/clientAuthentication.ts";
import { type RevocationRefusal, revokeGrant } from "../../oauth/revokeGrant.ts";
import { type TokenRefusal, type TokenRules, tokenRoutes } from "../../oauth/tokenRoutes.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/clock.ts";
import { type App, type AppEnv, jsonResponse, readForm } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import type { Provider, World } from "../../state/createWorld.ts";
import { apiRoutes } from "./api.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";
import { SCOPE_B_BASIC, SCOPE_B_PROFILE, SCOPE_B_VIDEOS, SCOPE_RULES } from "./scopes.ts";
import { coverUrlIsValid } from "./shapes.ts";
import { sendAuthorizationRemoved } from "./webhook.ts";

const AUTHORIZATION: AuthorizationRules = {
  provider: "provider-b",
  clientParameter: "client_key",
  scopeSeparator: ",",
  // The consent page accepts any challenge that RFC 7636 allows; the exchange compares it with the hexadecimal hash.
  choosesAccount: (parameter) => parameter("disable_auto_auth") === "1",
  skipsPage: true,
  challenge: /^[A-Za-z0-9\-._~]{43,128}$/,
  codeLifetimeMs: 10 * MINUTE_MS,
  // Real codes contain characters that are escaped in a URL, which clients must decode.
  newCode: () => `${unguessable(40)}*1!${unguessable(3)}.e1`,
  // One unknown scope rejects the whole request.
  invalidScopes: (requested, unknown) =>
    requested.length === 0 || unknown.length > 0 ? "The scopes are invalid." : null,
  redirectedError: (error) => ({ error, error_type: error === "invalid_scope" ? "scope" : "param" }),
  allowed: ({ state }, code, scopes) => ({ code, scopes: scopes.join(","), state }),
  denied: {
    error: "access_denied",
    error_type: "user_denied",
    error_description: "User denied the authorization request",
  },
  failed: (error) => ({ error, error_type: "server" }),
};

const { accessTokenSeconds: ACCESS_SECONDS, refreshTokenSeconds: REFRESH_SECONDS } = PROVIDER_FIXTURES.PROVIDER_B;

const TOKEN_REFUSALS: Partial<Record<TokenRefusal, readonly [error: string, description: string, status?: number]>> = {
  "bad-form": ["invalid_request", "The request parameters are malformed."],
  "bad-credentials": ["invalid_client", "Client key or secret is incorrect.", 401],
  "bad-grant-type": ["unsupported_grant_type", "The grant type is not supported."],
  "wrong-redirect": ["invalid_request", "Redirect_uri is not matched with the uri when requesting code."],
  "wrong-verifier": ["invalid_request", "Code verifier or code challenge is invalid."],
  "unknown-refresh-token": ["invalid_grant", "Refresh token is invalid or expired."],
  "ended-refresh-token": ["invalid_grant", "Refresh token is invalid or expired."],
};

/** Code exchange and refresh of provider B: `POST /v2/oauth/token/`. */
const TOKENS: TokenRules = {
  provider: "provider-b",
  client: { idField: "client_key", basic: false },
  challengeEncoding: "hex",
  replacesRefreshToken: "always",
  errors: SIGN_IN_ERRORS,
  refuse: (reason) => {
    const [error, description, status] = TOKEN_REFUSALS[reason] ?? ["invalid_grant", "Authorization code is expired."];
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

const REVOCATION_REFUSALS: Record<RevocationRefusal, Parameters<typeof oauthError>> = {
  unknown: ["invalid_grant", "Access token is invalid.", 400],
  rejected: ["access_denied", "The authorization cannot be revoked.", 403],
  ended: ["invalid_grant", "Access token is invalid or expired.", 400],
};

/** `POST /v2/oauth/revoke/` of provider B: takes the access token, ends its grant and returns an empty body. */
function revokeRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.post("/v2/oauth/revoke/", async (call) => {
    call.get("trace").endpoint = "revoke";
    const form = await readForm(call);
    const token = form?.get("token");
    if (form === null || token === undefined) return TOKENS.refuse("bad-form", form);
    const client = authenticateClient(world, call, "provider-b", form, TOKENS.client);
    if (client === null) return TOKENS.refuse("bad-credentials", form);
    const found = world.grants.find(token);
    return revokeGrant(world, call, found?.grant.clientId === client.clientId ? found : null, {
      provider: "provider-b",
      errors: SIGN_IN_ERRORS,
      takesRefreshTokens: false,
      refuse: (reason) => oauthError(...REVOCATION_REFUSALS[reason]),
      done: () => new Response("", { status: 200, headers: { "cache-control": "no-store" } }),
    });
  });
  return app;
}

export const providerB: Provider = {
  defaultPort: 4407,
  paths: {
    authorization: "/v2/auth/authorize/",
    token: "/v2/oauth/token/",
    revocation: "/v2/oauth/revoke/",
    api: "/v2",
  },
  capabilityScopes: scopesByCapability([SCOPE_B_BASIC, SCOPE_B_PROFILE], [SCOPE_B_VIDEOS], [SCOPE_B_VIDEOS]),
  scopeRules: SCOPE_RULES,
  defaultPostForm: "video",
  routes: (app, world) => {
    app.route("/", authorizationRoutes(world, AUTHORIZATION));
    app.route("/", tokenRoutes(world, TOKENS));
    app.route("/", revokeRoutes(world));
    app.route("/", apiRoutes(world));
  },
  pictureLinkIsValid: coverUrlIsValid,
  reportRemoval: sendAuthorizationRemoved,
};
