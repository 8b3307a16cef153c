import { createHmac } from "node:crypto";
import { PROVIDER_FIXTURES, scopesByCapability } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import type { Account } from "../../accounts/account.ts";
import { appScopedIdFor } from "../../accounts/ids.ts";
import { type AuthorizationRules, authorizationRoutes } from "../../consent/authorize.ts";
import { withFaults } from "../../faults/withFaults.ts";
import { findCaller } from "../../oauth/clientAuthentication.ts";
import { type TokenRefusal, type TokenRules, tokenRoutes } from "../../oauth/tokenRoutes.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../shared/clock.ts";
import { type App, type AppEnv, type Call, jsonResponse } from "../../shared/http.ts";
import type { SimulatorClient } from "../../shared/providerKeys.ts";
import { unguessable } from "../../shared/random.ts";
import { sendToClient } from "../../shared/sendToClient.ts";
import type { Provider, World } from "../../state/createWorld.ts";
import type { FoundToken, Grant } from "../../state/grants.ts";
import { apiRoutes } from "./api.ts";
import {
  badParameter,
  endedGrant,
  expiredToken,
  graphError,
  readErrors,
  SIGN_IN_ERRORS,
  signInError,
  unreadableToken,
} from "./errors.ts";
import { SCOPE_C_BASIC, SCOPE_C_INSIGHTS, SCOPE_RULES } from "./scopes.ts";

const AUTHORIZATION: AuthorizationRules = {
  provider: "provider-c",
  clientParameter: "client_id",
  scopeSeparator: ",",
  choosesAccount: (parameter) => parameter("force_reauth") === "true",
  challenge: null,
  codeLifetimeMs: HOUR_MS,
  newCode: () => `AQ${unguessable(120)}`,
  invalidScopes: (requested, unknown) =>
    !requested.includes(SCOPE_C_BASIC) || unknown.length > 0
      ? `Invalid scopes: ${unknown.join(", ") || `${SCOPE_C_BASIC} is missing`}.`
      : null,
  allowed: ({ state }, code) => ({ code, state }),
  // The provider appends `#_`, which is not part of the code.
  fragment: "#_",
  denied: {
    error: "access_denied",
    error_reason: "user_denied",
    error_description: "The user denied your request.",
  },
  failed: (error) => ({ error, error_description: "Something went wrong." }),
};

const PROVIDER = "provider-c";
const SHORT_SECONDS = HOUR_MS / SECOND_MS;
const LONG_SECONDS = PROVIDER_FIXTURES.PROVIDER_C.accessTokenSeconds;
const RENEWABLE_AFTER_MS = DAY_MS;

const REFUSALS: Partial<Record<TokenRefusal, string>> = {
  "bad-form": "Invalid request",
  "bad-credentials": "Error validating client secret.",
  "bad-grant-type": "Invalid grant_type",
  "wrong-redirect":
    "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request",
};

/** Code exchange on the sign-in host: a token for one hour. */
const TOKENS: TokenRules = {
  provider: PROVIDER,
  client: { idField: "client_id", basic: false },
  challengeEncoding: null,
  replacesRefreshToken: null,
  errors: SIGN_IN_ERRORS,
  refuse: (reason) => signInError(REFUSALS[reason] ?? "Matching code was not found or was already used"),
  issue: (world, grant, account) => {
    const accessToken = newToken();
    world.grants.issue(grant, "short-lived", accessToken, SHORT_SECONDS);
    return shortLivedResponse(grant, account, accessToken);
  },
};

/** Documented as a data array; a flat object with a numeric id beyond 2^53 was also observed. */
function shortLivedResponse(grant: Grant, account: Account, accessToken: string): Response {
  const userId = appScopedIdFor(account.accountId, grant.clientId);
  const response = { access_token: accessToken, user_id: userId, permissions: grant.scopes.join(",") };
  if (account.script.responseForm !== "flat-token") return jsonResponse({ data: [response] });
  const text = JSON.stringify(response).replace(`"user_id":"${userId}"`, `"user_id":${userId}`);
  return new Response(text, {
    headers: { "content-type": "application/json; charset=UTF-8", "cache-control": "no-store" },
  });
}

/** The exchange for a token of 60 days and its renewal, on the host of the read API. */
function longLivedRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/access_token", (call) => {
    const query = new URL(call.req.url).searchParams;
    return withToken(world, call, "exchange", query, "ig_exchange_token", ({ grant, token }) => {
      const client = world.client(PROVIDER, grant.clientId);
      if (client?.clientSecret !== (query.get("client_secret") ?? ""))
        return graphError(100, "Error validating client secret.");
      if (token.kind !== "short-lived") return badParameter("The access token is not a short-lived one");
      return longLivedResponse(world, grant);
    });
  });
  app.get("/refresh_access_token", (call) => {
    const query = new URL(call.req.url).searchParams;
    return withToken(world, call, "refresh", query, "ig_refresh_token", ({ grant, token }) => {
      if (token.kind !== "long-lived") return badParameter("The access token is not a long-lived one");
      if (world.clock.now().getTime() - Date.parse(token.issuedAt) < RENEWABLE_AFTER_MS) {
        return badParameter("The access token is not yet 24 hours old");
      }
      if (world.accountOf(grant).script.refresh === "refused") {
        world.endGrant(grant, "expired");
        return expiredToken(world.clock.now());
      }
      return longLivedResponse(world, grant);
    });
  });
  return app;
}

function withToken(
  world: World,
  call: Call,
  endpoint: string,
  query: URLSearchParams,
  grantType: string,
  handle: (found: FoundToken) => Response,
): Promise<Response> | Response {
  call.get("trace").endpoint = endpoint;
  if (query.get("grant_type") !== grantType) return badParameter(`grant_type must be ${grantType}`);
  const found = findCaller(world, call, PROVIDER, query.get("access_token"));
  if (found === null) return unreadableToken();
  const { account, grant } = found;
  const facts = { provider: PROVIDER, endpoint, group: "sign-in", account, grant } as const;
  return withFaults(world, call, facts, readErrors(account.accountId), () => {
    if (grant.ended !== null) return endedGrant(grant, grant.ended.cause);
    if (found.expired) return expiredToken(world.clock.now());
    return handle(found);
  });
}

function longLivedResponse(world: World, grant: Grant): Response {
  const accessToken = newToken();
  const lifetimeSeconds = world.accountOf(grant).script.accessTokenSeconds ?? LONG_SECONDS;
  world.grants.issue(grant, "long-lived", accessToken, lifetimeSeconds);
  return jsonResponse({
    access_token: accessToken,
    token_type: "bearer",
    expires_in: lifetimeSeconds,
    permissions: grant.scopes.join(","),
  });
}

function newToken(): string {
  return `IGAA${unguessable(100).replaceAll(/[-_]/g, "Z")}`;
}

const GRAPH_VERSION = "/:version{v[0-9]+\\.[0-9]+}";

export const providerC: Provider = {
  defaultPort: 4408,
  paths: { authorization: "/oauth/authorize", token: "/oauth/access_token", api: "" },
  capabilityScopes: scopesByCapability([SCOPE_C_BASIC], [SCOPE_C_BASIC], [SCOPE_C_BASIC, SCOPE_C_INSIGHTS]),
  scopeRules: SCOPE_RULES,
  defaultPostForm: "image",
  routes: (app, world) => {
    app.route("/", authorizationRoutes(world, AUTHORIZATION));
    app.route("/", tokenRoutes(world, TOKENS));
    // Before the reads, which match any single segment as an id.
    app.route("/", longLivedRoutes(world));
    app.route(GRAPH_VERSION, longLivedRoutes(world));
    app.route("/", apiRoutes(world));
    app.route(GRAPH_VERSION, apiRoutes(world));
  },
  reportRemoval: sendDeauthorization,
  requestDeletion: sendDeletionRequest,
};

/** `base64url(signature).base64url(payload)`, HMAC-SHA256 with the application's secret over the encoded payload. */
function signedRequest(payload: Readonly<Record<string, unknown>>, clientSecret: string): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
  return `${createHmac("sha256", clientSecret).update(encoded).digest("base64url")}.${encoded}`;
}

/** The same for a removed app and for a data deletion request. The user's id is scoped to the application. */
function messageOf(account: Account, client: SimulatorClient, at: Date): URLSearchParams {
  const payload = {
    algorithm: "HMAC-SHA256",
    issued_at: Math.floor(at.getTime() / SECOND_MS),
    user_id: appScopedIdFor(account.accountId, client.clientId),
  };
  return new URLSearchParams({ signed_request: signedRequest(payload, client.clientSecret) });
}

async function sendDeauthorization(account: Account, client: SimulatorClient, removedAt: Date) {
  const response = await sendToClient(client.deauthorizationUrl, messageOf(account, client, removedAt));
  return response?.status ?? null;
}

/** Asks the application to delete the user's data. Returns its response. */
function sendDeletionRequest(account: Account, client: SimulatorClient, requestedAt: Date) {
  return sendToClient(client.dataDeletionUrl, messageOf(account, client, requestedAt));
}
