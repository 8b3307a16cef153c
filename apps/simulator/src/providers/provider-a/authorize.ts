import { Hono } from "hono";
import type { RedirectForms } from "../../consent/routes.ts";
import { consentRoutes, showConsent } from "../../consent/routes.ts";
import { unknownScopes } from "../../consent/scopeRules.ts";
import { readAuthorizationRequest, withParameters } from "../../oauth/authorizationRequest.ts";
import { errorPage } from "../../pages/page.ts";
import { MINUTE_MS } from "../../shared/clock.ts";
import type { App, AppEnv } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import type { World } from "../../state/world.ts";
import { SCOPE_RULES } from "./scopes.ts";

const CODE_LIFETIME_MS = 10 * MINUTE_MS;

/** The consent page of provider A and its redirects. */
export function authorizeRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/o/oauth2/v2/auth", (call) => {
    call.get("trace").endpoint = "authorize";
    const read = readAuthorizationRequest(world, call, {
      provider: "provider-a",
      clientParameter: "client_id",
      scopeSeparator: " ",
      challenge: /^[A-Za-z0-9_-]{43}$/,
    });
    // This provider shows errors to the user instead of redirecting to the application.
    if ("refusal" in read) return errorPage("provider-a", read.refusal.error, read.refusal.explanation);
    const { request } = read;
    const unknown = unknownScopes(SCOPE_RULES, request.scopes);
    if (request.scopes.length === 0 || unknown.length > 0) {
      return errorPage(
        "provider-a",
        "invalid_scope",
        `Some requested scopes were invalid: ${unknown.join(", ") || "none requested"}.`,
      );
    }
    return showConsent(
      world,
      call,
      world.consentRequests.open({
        provider: "provider-a",
        client: request.client,
        redirectUri: request.redirectUri,
        state: request.state,
        scopes: request.scopes,
        codeChallenge: request.codeChallenge,
        offline: request.parameter("access_type") === "offline",
        promptConsent: (request.parameter("prompt") ?? "").split(" ").includes("consent"),
        hint: request.parameter("login_hint"),
      }),
    );
  });
  app.route("/", consentRoutes(world, "provider-a", redirectForms(world)));
  return app;
}

function redirectForms(world: World): RedirectForms {
  return {
    allowed: (request, account, scopes) => {
      const code = `4/0A${unguessable(48)}`;
      // A refresh token is issued at the first consent, later only with prompt=consent.
      const consentedBefore =
        world.grants.select(
          (grant) =>
            grant.provider === "provider-a" &&
            grant.clientId === request.client.clientId &&
            grant.accountName === account.name &&
            grant.ended === null &&
            grant.hasRefreshToken,
        ).length > 0;
      world.codes.store(
        code,
        {
          provider: "provider-a",
          clientId: request.client.clientId,
          redirectUri: request.redirectUri,
          accountName: account.name,
          scopes,
          codeChallenge: request.codeChallenge,
          offline: request.offline && (request.promptConsent || !consentedBefore),
        },
        CODE_LIFETIME_MS,
      );
      return withParameters(request.redirectUri, {
        state: request.state,
        code,
        scope: scopes.join(" "),
        authuser: "0",
        prompt: request.promptConsent ? "consent" : "none",
      });
    },
    denied: (request) => withParameters(request.redirectUri, { error: "access_denied", state: request.state }),
    failed: (request, error) => withParameters(request.redirectUri, { error, state: request.state }),
  };
}
