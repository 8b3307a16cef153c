import { PROVIDER_FIXTURES, scopesByCapability } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import { type AuthorizationRules, authorizationRoutes } from "../../consent/authorize.ts";
import { type RevocationRefusal, revokeGrant } from "../../oauth/revokeGrant.ts";
import { type TokenRefusal, type TokenRules, tokenRoutes } from "../../oauth/tokenRoutes.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/clock.ts";
import { type App, type AppEnv, jsonResponse, readForm } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import type { Provider, World } from "../../state/createWorld.ts";
import { apiRoutes } from "./api.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";
import { SCOPE_A_READ, SCOPE_RULES } from "./scopes.ts";

const AUTHORIZATION: AuthorizationRules = {
  provider: "provider-a",
  clientParameter: "client_id",
  scopeSeparator: " ",
  choosesAccount: (parameter) => (parameter("prompt") ?? "").split(" ").includes("select_account"),
  challenge: /^[A-Za-z0-9_-]{43}$/,
  codeLifetimeMs: 10 * MINUTE_MS,
  newCode: () => `4/0A${unguessable(48)}`,
  invalidScopes: (requested, unknown) =>
    requested.length === 0 || unknown.length > 0
      ? `Some requested scopes were invalid: ${unknown.join(", ") || "none requested"}.`
      : null,
  // A refresh token is issued at the first consent, later only with prompt=consent.
  allowsRefreshToken: (world, { client, offline, promptConsent }, account) => {
    const consentedBefore = world.grants
      .select(({ clientId, accountName }) => clientId === client.clientId && accountName === account.name)
      .some((grant) => grant.provider === "provider-a" && grant.ended === null && grant.hasRefreshToken);
    return offline && (promptConsent || !consentedBefore);
  },
  allowed: ({ state, promptConsent }, code, scopes) => ({
    state,
    code,
    scope: scopes.join(" "),
    authuser: "0",
    prompt: promptConsent ? "consent" : "none",
  }),
  denied: { error: "access_denied" },
  failed: (error) => ({ error }),
};

/** As in recorded responses. */
const ACCESS_SECONDS = PROVIDER_FIXTURES.PROVIDER_A.accessTokenSeconds;

const TOKEN_REFUSALS: Partial<Record<TokenRefusal, readonly [error: string, description: string]>> = {
  "bad-form": ["invalid_request", "Bad Request"],
  "wrong-redirect": ["redirect_uri_mismatch", "Bad Request"],
  "wrong-verifier": ["invalid_grant", "Invalid code verifier."],
  used: ["invalid_grant", "Bad Request"],
  "unknown-refresh-token": ["invalid_grant", "Bad Request"],
  "ended-refresh-token": ["invalid_grant", "Token has been expired or revoked."],
};

/** Code exchange and refresh of provider A: `POST /token`. */
const TOKENS: TokenRules = {
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
    return oauthError(...(TOKEN_REFUSALS[reason] ?? (["invalid_grant", "Malformed auth code."] as const)));
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

/** The response to a GET request, which the endpoint accepted in the past. */
const NOT_FOUND_PAGE = "<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n";
const HTML = { "content-type": "text/html; charset=UTF-8" };

const REVOCATION_REFUSALS: Record<RevocationRefusal, Parameters<typeof oauthError>> = {
  unknown: ["invalid_token", "Token is not recognized."],
  rejected: ["invalid_request", "The request cannot be served for this account."],
  ended: ["invalid_token", "Token expired or revoked"],
};

/**
 * `POST /revoke` of provider A: takes an access or a refresh token without client authentication. Either ends the whole
 * consent, also for other channels of the user.
 */
function revokeRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/revoke", () => new Response(NOT_FOUND_PAGE, { status: 404, headers: HTML }));
  app.post("/revoke", async (call) => {
    call.get("trace").endpoint = "revoke";
    const form = await readForm(call);
    const token = form?.get("token") ?? new URL(call.req.url).searchParams.get("token");
    if (token === null) return oauthError("invalid_request", "Missing required parameter: token");
    return revokeGrant(world, call, world.grants.find(token), {
      provider: "provider-a",
      errors: SIGN_IN_ERRORS,
      takesRefreshTokens: true,
      refuse: (reason) => oauthError(...REVOCATION_REFUSALS[reason]),
      done: () => jsonResponse({}),
    });
  });
  return app;
}

export const providerA: Provider = {
  defaultPort: 4406,
  paths: { authorization: "/o/oauth2/v2/auth", token: "/token", revocation: "/revoke", api: "/youtube/v3" },
  capabilityScopes: scopesByCapability([SCOPE_A_READ], [SCOPE_A_READ], [SCOPE_A_READ]),
  scopeRules: SCOPE_RULES,
  defaultPostForm: "video",
  routes: (app, world) => {
    app.route("/", authorizationRoutes(world, AUTHORIZATION));
    app.route("/", tokenRoutes(world, TOKENS));
    app.route("/", revokeRoutes(world));
    app.route("/", apiRoutes(world));
  },
};
