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

/** The consent page of provider B and its redirects. */
export function authorizeRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  // Documented with a trailing slash, which some clients omit.
  app.on("GET", ["/v2/auth/authorize/", "/v2/auth/authorize"], (call) => {
    call.get("trace").endpoint = "authorize";
    const read = readAuthorizationRequest(world, call, {
      provider: "provider-b",
      clientParameter: "client_key",
      scopeSeparator: ",",
      // The consent page accepts any challenge that RFC 7636 allows; the exchange compares it with the hexadecimal hash.
      challenge: /^[A-Za-z0-9\-._~]{43,128}$/,
    });
    if ("refusal" in read) {
      const { redirectTarget, error, explanation } = read.refusal;
      if (redirectTarget === null) return errorPage("provider-b", error, explanation);
      return call.redirect(
        withParameters(redirectTarget.redirectUri, { error, error_type: "param", state: redirectTarget.state }),
        302,
      );
    }
    const { request } = read;
    // One unknown scope rejects the whole request.
    if (request.scopes.length === 0 || unknownScopes(SCOPE_RULES, request.scopes).length > 0) {
      return call.redirect(
        withParameters(request.redirectUri, { error: "invalid_scope", error_type: "scope", state: request.state }),
        302,
      );
    }
    return showConsent(
      world,
      call,
      world.consentRequests.open({
        provider: "provider-b",
        client: request.client,
        redirectUri: request.redirectUri,
        state: request.state,
        scopes: request.scopes,
        codeChallenge: request.codeChallenge,
        offline: true,
        promptConsent: false,
        hint: request.parameter("login_hint"),
      }),
    );
  });
  app.route("/", consentRoutes(world, "provider-b", redirectForms(world)));
  return app;
}

function redirectForms(world: World): RedirectForms {
  return {
    allowed: (request, account, scopes) => {
      // Real codes contain characters that are escaped in a URL, which clients must decode.
      const code = `${unguessable(40)}*1!${unguessable(3)}.e1`;
      world.codes.store(
        code,
        {
          provider: "provider-b",
          clientId: request.client.clientId,
          redirectUri: request.redirectUri,
          accountName: account.name,
          scopes,
          codeChallenge: request.codeChallenge,
          offline: true,
        },
        CODE_LIFETIME_MS,
      );
      return withParameters(request.redirectUri, { code, scopes: scopes.join(","), state: request.state });
    },
    denied: (request) =>
      withParameters(request.redirectUri, {
        error: "access_denied",
        error_type: "user_denied",
        error_description: "User denied the authorization request",
        state: request.state,
      }),
    failed: (request, error) =>
      withParameters(request.redirectUri, { error, error_type: "server", state: request.state }),
  };
}
