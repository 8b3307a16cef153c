import { Hono } from "hono";
import { type RevocationRefusal, revokeGrant } from "../../oauth/revokeGrant.ts";
import { type App, type AppEnv, jsonResponse, readForm } from "../../shared/http.ts";
import type { World } from "../../state/world.ts";
import { oauthError, SIGN_IN_ERRORS } from "./errors.ts";

/** The response to a GET request, which the endpoint accepted in the past. */
const NOT_FOUND_PAGE = "<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n";
const HTML = { "content-type": "text/html; charset=UTF-8" };

const REFUSALS: Record<RevocationRefusal, Parameters<typeof oauthError>> = {
  unknown: ["invalid_token", "Token is not recognized."],
  rejected: ["invalid_request", "The request cannot be served for this account."],
  ended: ["invalid_token", "Token expired or revoked"],
};

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
    return revokeGrant(world, call, world.grants.find(token), {
      provider: "provider-a",
      errors: SIGN_IN_ERRORS,
      takesRefreshTokens: true,
      refuse: (reason) => oauthError(...REFUSALS[reason]),
      done: () => jsonResponse({}),
    });
  });
  return app;
}
