import { Hono } from "hono";
import { withFaults } from "../../faults/withFaults.ts";
import { scriptedRevocation } from "../../oauth/scriptedRevocation.ts";
import type { App, AppEnv } from "../../shared/http.ts";
import { jsonResponse, readForm } from "../../shared/http.ts";
import type { World } from "../../state/world.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";

/** The response to a GET request, which the endpoint accepted in the past. */
const NOT_FOUND_PAGE = "<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n";
const HTML = { "content-type": "text/html; charset=UTF-8" };

/**
 * `POST /revoke` of provider A: takes an access or a refresh token without client authentication. Either ends the whole
 * consent, also for other channels of the user.
 */
export function revokeRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/revoke", () => new Response(NOT_FOUND_PAGE, { status: 404, headers: HTML }));
  app.post("/revoke", async (call) => {
    call.get("trace").endpoint = "revoke";
    const form = await readForm(call);
    const token = form?.get("token") ?? new URL(call.req.url).searchParams.get("token");
    if (token === null) return oauthError("invalid_request", "Missing required parameter: token");
    const found = world.grants.find(token);
    const grant = found?.grant.provider === "provider-a" ? found.grant : undefined;
    if (grant !== undefined) grant.uses.revocations += 1;
    const account = grant === undefined ? undefined : world.accountOf(grant);
    return withFaults(
      world,
      call,
      { provider: "provider-a", endpoint: "revoke", group: "sign-in", account, grant },
      SIGN_IN_ERRORS,
      () => {
        if (grant === undefined || account === undefined || found === null)
          return oauthError("invalid_token", "Token is not recognized.");
        const scripted = scriptedRevocation(world, grant, account);
        if (scripted === "unavailable") return SIGN_IN_ERRORS.unavailable(503);
        if (scripted === "rejected")
          return oauthError("invalid_request", "The request cannot be served for this account.");
        if (grant.ended !== null || found.expired || found.token.replacedAt !== null)
          return oauthError("invalid_token", "Token expired or revoked");
        world.endGrant(grant, "revoked");
        return jsonResponse({});
      },
    );
  });
  return app;
}
