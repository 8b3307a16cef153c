import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import type { Account } from "../../accounts/account.ts";
import { withFaults } from "../../faults/withFaults.ts";
import { accountOfCode } from "../../oauth/accountOfCode.ts";
import { authenticateClient } from "../../oauth/clientAuthentication.ts";
import { countRefresh } from "../../oauth/countRefresh.ts";
import { SECOND_MS } from "../../shared/clock.ts";
import type { App, AppEnv, Call } from "../../shared/http.ts";
import { jsonResponse, readForm } from "../../shared/http.ts";
import type { SimulatorClient } from "../../shared/providerKeys.ts";
import { unguessable } from "../../shared/random.ts";
import type { Grant } from "../../state/grant.ts";
import type { World } from "../../state/world.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";

const PROVIDER = "provider-b";
const { accessTokenSeconds: ACCESS_SECONDS, refreshTokenSeconds: REFRESH_SECONDS } = PROVIDER_FIXTURES.PROVIDER_B;
/** From the first issue; a refresh does not extend it. */

type Form = ReadonlyMap<string, string>;

/** Code exchange and refresh of provider B: `POST /v2/oauth/token/`. */
export function tokenRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.post("/v2/oauth/token/", async (call) => {
    call.get("trace").endpoint = "token";
    const form = await readForm(call);
    if (form === null) return oauthError("invalid_request", "The request parameters are malformed.");
    const client = authenticateClient(world, call, PROVIDER, form, { idField: "client_key", basic: false });
    if (client === null) return oauthError("invalid_client", "Client key or secret is incorrect.", 401);
    switch (form.get("grant_type")) {
      case "authorization_code":
        return exchange(world, call, client, form);
      case "refresh_token":
        return countRefresh(world, world.grants.find(form.get("refresh_token") ?? ""), () =>
          refresh(world, call, client, form),
        );
      default:
        return oauthError("unsupported_grant_type", "The grant type is not supported.");
    }
  });
  return app;
}

function exchange(world: World, call: Call, client: SimulatorClient, form: Form): Promise<Response> {
  const account = accountOfCode(world, PROVIDER, form.get("code"));
  const facts = { provider: PROVIDER, endpoint: "token", group: "sign-in", account } as const;
  return withFaults(world, call, facts, SIGN_IN_ERRORS, () => {
    const redemption = world.codes.redeem(form.get("code") ?? "", {
      provider: PROVIDER,
      clientId: client.clientId,
      redirectUri: form.get("redirect_uri") ?? null,
      codeVerifier: form.get("code_verifier") ?? null,
      challengeEncoding: "hex",
    });
    switch (redemption.outcome) {
      case "used":
        if (redemption.grant !== null) world.endGrant(redemption.grant, "code-reused");
        return oauthError("invalid_grant", "Authorization code is expired.");
      case "wrong-redirect":
        return oauthError("invalid_request", "Redirect_uri is not matched with the uri when requesting code.");
      case "wrong-verifier":
        return oauthError("invalid_request", "Code verifier or code challenge is invalid.");
      case "unknown":
      case "expired":
      case "wrong-client":
        return oauthError("invalid_grant", "Authorization code is expired.");
      case "good": {
        const { contents } = redemption;
        const account = world.catalogue.byName(PROVIDER, contents.accountName);
        if (account === undefined) return oauthError("invalid_grant", "Authorization code is expired.");
        call.get("trace").account = account.name;
        if (account.script.exchange === "refused") return oauthError("invalid_grant", "Authorization code is expired.");
        if (account.script.exchange === "unavailable") return SIGN_IN_ERRORS.unavailable(503);
        const refreshSeconds = account.script.refreshTokenSeconds ?? REFRESH_SECONDS;
        const grant = world.grants.create({
          provider: PROVIDER,
          clientId: client.clientId,
          accountName: account.name,
          personKey: account.personKey,
          scopes: contents.scopes,
          refreshExpiresAt: new Date(world.clock.now().getTime() + refreshSeconds * SECOND_MS).toISOString(),
        });
        redemption.use(grant);
        return tokenResponse(world, grant, account);
      }
    }
  });
}

/** Every refresh replaces the refresh token and invalidates the old one immediately. */
function refresh(world: World, call: Call, client: SimulatorClient, form: Form): Promise<Response> | Response {
  const value = form.get("refresh_token") ?? "";
  const found = world.grants.find(value);
  const usable =
    found !== null &&
    found.grant.provider === PROVIDER &&
    found.token.kind === "refresh" &&
    found.grant.clientId === client.clientId;
  const account = usable ? world.accountOf(found.grant) : undefined;
  const facts = {
    provider: PROVIDER,
    endpoint: "refresh",
    group: "sign-in",
    account,
    grant: usable ? found.grant : undefined,
  } as const;
  return withFaults(world, call, facts, SIGN_IN_ERRORS, () => {
    if (
      !usable ||
      account === undefined ||
      found.grant.ended !== null ||
      found.expired ||
      account.script.refresh === "refused"
    ) {
      return oauthError("invalid_grant", "Refresh token is invalid or expired.");
    }
    if (found.token.replacedAt !== null) {
      if (account.script.refresh === "rotates") world.endGrant(found.grant, "refresh-reused");
      return oauthError("invalid_grant", "Refresh token is invalid or expired.");
    }
    world.grants.replace(value);
    return tokenResponse(world, found.grant, account);
  });
}

function tokenResponse(world: World, grant: Grant, account: Account): Response {
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
}
