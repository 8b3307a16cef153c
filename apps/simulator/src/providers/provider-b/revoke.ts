import { Hono } from "hono";
import { withFaults } from "../../faults/withFaults.ts";
import { authenticateClient } from "../../oauth/clientAuthentication.ts";
import { scriptedRevocation } from "../../oauth/scriptedRevocation.ts";
import type { App, AppEnv } from "../../shared/http.ts";
import { readForm } from "../../shared/http.ts";
import type { World } from "../../state/world.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";

/** `POST /v2/oauth/revoke/` of provider B: takes the access token, ends its grant and returns an empty body. */
export function revokeRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.post("/v2/oauth/revoke/", async (call) => {
    call.get("trace").endpoint = "revoke";
    const form = await readForm(call);
    const token = form?.get("token");
    if (form === null || token === undefined)
      return oauthError("invalid_request", "The request parameters are malformed.");
    const client = authenticateClient(world, call, "provider-b", form, { idField: "client_key", basic: false });
    if (client === null) return oauthError("invalid_client", "Client key or secret is incorrect.", 401);
    const found = world.grants.find(token);
    const grant =
      found?.grant.provider === "provider-b" && found.grant.clientId === client.clientId ? found.grant : undefined;
    if (grant !== undefined) grant.uses.revocations += 1;
    const account = grant === undefined ? undefined : world.accountOf(grant);
    return withFaults(
      world,
      call,
      { provider: "provider-b", endpoint: "revoke", group: "sign-in", account, grant },
      SIGN_IN_ERRORS,
      () => {
        if (grant === undefined || account === undefined || found === null || found.token.kind !== "access") {
          return oauthError("invalid_grant", "Access token is invalid.");
        }
        const scripted = scriptedRevocation(world, grant, account);
        if (scripted === "unavailable") return SIGN_IN_ERRORS.unavailable(503);
        if (scripted === "rejected") return oauthError("access_denied", "The authorization cannot be revoked.", 403);
        if (grant.ended !== null || found.expired)
          return oauthError("invalid_grant", "Access token is invalid or expired.");
        world.endGrant(grant, "revoked");
        return new Response("", { status: 200, headers: { "cache-control": "no-store" } });
      },
    );
  });
  return app;
}
