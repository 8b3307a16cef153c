import { Hono } from "hono";
import type { RedirectForms } from "../../consent/routes.ts";
import { consentRoutes, showConsent } from "../../consent/routes.ts";
import { unknownScopes } from "../../consent/scopeRules.ts";
import { readAuthorizationRequest, withParameters } from "../../oauth/authorizationRequest.ts";
import { errorPage } from "../../pages/page.ts";
import { HOUR_MS } from "../../shared/clock.ts";
import type { App, AppEnv } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import type { World } from "../../state/world.ts";
import { SCOPE_C_BASIC, SCOPE_RULES } from "./scopes.ts";

const CODE_LIFETIME_MS = HOUR_MS;

/** The consent page of provider C and its redirects. */
export function authorizeRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/oauth/authorize", (call) => {
    call.get("trace").endpoint = "authorize";
    const read = readAuthorizationRequest(world, call, {
      provider: "provider-c",
      clientParameter: "client_id",
      scopeSeparator: ",",
      challenge: null,
    });
    if ("refusal" in read) return errorPage("provider-c", read.refusal.error, read.refusal.explanation);
    const { request } = read;
    const unknown = unknownScopes(SCOPE_RULES, request.scopes);
    if (!request.scopes.includes(SCOPE_C_BASIC) || unknown.length > 0) {
      return errorPage(
        "provider-c",
        "invalid_scope",
        `Invalid scopes: ${unknown.join(", ") || `${SCOPE_C_BASIC} is missing`}.`,
      );
    }
    return showConsent(
      world,
      call,
      world.consentRequests.open({
        provider: "provider-c",
        client: request.client,
        redirectUri: request.redirectUri,
        state: request.state,
        scopes: request.scopes,
        codeChallenge: null,
        offline: false,
        promptConsent: false,
        hint: request.parameter("login_hint"),
      }),
    );
  });
  app.route("/", consentRoutes(world, "provider-c", redirectForms(world)));
  return app;
}

function redirectForms(world: World): RedirectForms {
  return {
    allowed: (request, account, scopes) => {
      const code = `AQ${unguessable(120)}`;
      world.codes.store(
        code,
        {
          provider: "provider-c",
          clientId: request.client.clientId,
          redirectUri: request.redirectUri,
          accountName: account.name,
          scopes,
          codeChallenge: null,
          offline: false,
        },
        CODE_LIFETIME_MS,
      );
      // The provider appends `#_`, which is not part of the code.
      return `${withParameters(request.redirectUri, { code, state: request.state })}#_`;
    },
    denied: (request) =>
      withParameters(request.redirectUri, {
        error: "access_denied",
        error_reason: "user_denied",
        error_description: "The user denied your request.",
        state: request.state,
      }),
    failed: (request, error) =>
      withParameters(request.redirectUri, { error, error_description: "Something went wrong.", state: request.state }),
  };
}
