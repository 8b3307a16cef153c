import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import type { Account } from "../../accounts/account.ts";
import { withFaults } from "../../faults/withFaults.ts";
import { accountOfCode } from "../../oauth/accountOfCode.ts";
import { authenticateClient } from "../../oauth/clientAuthentication.ts";
import { countRefresh } from "../../oauth/countRefresh.ts";
import type { App, AppEnv, Call } from "../../shared/http.ts";
import { jsonResponse, readForm } from "../../shared/http.ts";
import type { SimulatorClient } from "../../shared/providerKeys.ts";
import { unguessable } from "../../shared/random.ts";
import type { Grant } from "../../state/grant.ts";
import type { World } from "../../state/world.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";

const PROVIDER = "provider-a";
/** As in recorded responses. */
const ACCESS_SECONDS = PROVIDER_FIXTURES.PROVIDER_A.accessTokenSeconds;

type Form = ReadonlyMap<string, string>;

/** Code exchange and refresh of provider A: `POST /token`. */
export function tokenRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.post("/token", async (call) => {
    call.get("trace").endpoint = "token";
    const form = await readForm(call);
    if (form === null) return oauthError("invalid_request", "Bad Request");
    const client = authenticateClient(world, call, PROVIDER, form, { idField: "client_id", basic: true });
    if (client === null) return oauthError("invalid_client", "Unauthorized", 401);
    switch (form.get("grant_type")) {
      case "authorization_code":
        return exchange(world, call, client, form);
      case "refresh_token":
        return countRefresh(world, world.grants.find(form.get("refresh_token") ?? ""), () =>
          refresh(world, call, client, form),
        );
      default:
        return oauthError("unsupported_grant_type", `Invalid grant_type: ${form.get("grant_type") ?? ""}`);
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
      challengeEncoding: "base64url",
    });
    switch (redemption.outcome) {
      case "used":
        if (redemption.grant !== null) world.endGrant(redemption.grant, "code-reused");
        return oauthError("invalid_grant", "Bad Request");
      case "wrong-redirect":
        return oauthError("redirect_uri_mismatch", "Bad Request");
      case "wrong-verifier":
        return oauthError("invalid_grant", "Invalid code verifier.");
      case "unknown":
      case "expired":
      case "wrong-client":
        return oauthError("invalid_grant", "Malformed auth code.");
      case "good": {
        const { contents } = redemption;
        const account = world.catalogue.byName(PROVIDER, contents.accountName);
        if (account === undefined) return oauthError("invalid_grant", "Bad Request");
        call.get("trace").account = account.name;
        if (account.script.exchange === "refused") return oauthError("invalid_grant", "Malformed auth code.");
        if (account.script.exchange === "unavailable") return SIGN_IN_ERRORS.unavailable(503);
        const grant = world.grants.create({
          provider: PROVIDER,
          clientId: client.clientId,
          accountName: account.name,
          personKey: account.personKey,
          scopes: contents.scopes,
          refreshExpiresAt: null,
        });
        redemption.use(grant);
        return tokenResponse(world, grant, account, contents.offline);
      }
    }
  });
}

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
    if (!usable || account === undefined || found.grant.ended !== null || account.script.refresh === "refused") {
      return oauthError("invalid_grant", found === null ? "Bad Request" : "Token has been expired or revoked.");
    }
    if (found.token.replacedAt !== null) {
      world.endGrant(found.grant, "refresh-reused");
      return oauthError("invalid_grant", "Token has been expired or revoked.");
    }
    const rotates = account.script.refresh === "rotates";
    if (rotates) world.grants.replace(value);
    return tokenResponse(world, found.grant, account, rotates);
  });
}

/** A refresh returns no refresh token: the existing one stays valid. */
function tokenResponse(world: World, grant: Grant, account: Account, withRefreshToken: boolean): Response {
  const accessToken = `ya29.a0${unguessable(96)}`;
  const lifetimeSeconds = account.script.accessTokenSeconds ?? ACCESS_SECONDS;
  world.grants.issue(grant, "access", accessToken, lifetimeSeconds);
  const refreshToken = `1//0${unguessable(60)}`;
  if (withRefreshToken) world.grants.issue(grant, "refresh", refreshToken, null);
  return jsonResponse({
    access_token: accessToken,
    expires_in: lifetimeSeconds,
    ...(withRefreshToken ? { refresh_token: refreshToken } : {}),
    scope: grant.scopes.join(" "),
    token_type: "Bearer",
  });
}
