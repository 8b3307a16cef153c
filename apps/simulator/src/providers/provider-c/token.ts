import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import type { Account } from "../../accounts/account.ts";
import { appScopedIdFor } from "../../accounts/ids.ts";
import { withFaults } from "../../faults/withFaults.ts";
import { sameSecret } from "../../oauth/clientAuthentication.ts";
import { findCaller } from "../../oauth/findCaller.ts";
import type { TokenRefusal, TokenRules } from "../../oauth/tokenRoutes.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../shared/clock.ts";
import { type App, type AppEnv, type Call, jsonResponse } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import type { Grant } from "../../state/grant.ts";
import type { FoundToken } from "../../state/grants.ts";
import type { World } from "../../state/world.ts";
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
export const TOKENS: TokenRules = {
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
export function longLivedRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/access_token", (call) => {
    const query = new URL(call.req.url).searchParams;
    return withToken(world, call, "exchange", query, "ig_exchange_token", ({ grant, token }) => {
      const client = world.client(PROVIDER, grant.clientId);
      if (client === undefined || !sameSecret(client.clientSecret, query.get("client_secret") ?? "")) {
        return graphError({ code: 100, message: "Error validating client secret." });
      }
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
