import { Hono } from "hono";
import { authenticateClient } from "../../oauth/clientAuthentication.ts";
import { type RevocationRefusal, revokeGrant } from "../../oauth/revokeGrant.ts";
import { type App, type AppEnv, readForm } from "../../shared/http.ts";
import type { World } from "../../state/world.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";
import { TOKENS } from "./token.ts";

const REFUSALS: Record<RevocationRefusal, Parameters<typeof oauthError>> = {
  unknown: ["invalid_grant", "Access token is invalid.", 400],
  rejected: ["access_denied", "The authorization cannot be revoked.", 403],
  ended: ["invalid_grant", "Access token is invalid or expired.", 400],
};

/** `POST /v2/oauth/revoke/` of provider B: takes the access token, ends its grant and returns an empty body. */
export function revokeRoutes(world: World): App {
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
      refuse: (reason) => oauthError(...REFUSALS[reason]),
      done: () => new Response("", { status: 200, headers: { "cache-control": "no-store" } }),
    });
  });
  return app;
}
