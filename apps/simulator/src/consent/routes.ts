import { Hono } from "hono";
import { z } from "zod";
import type { Account } from "../accounts/account.ts";
import { errorPage } from "../pages/page.ts";
import { type App, type AppEnv, type Call, jsonResponse } from "../shared/http.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { ConsentRequest } from "../state/consentRequests.ts";
import type { World } from "../state/createWorld.ts";
import { consentPage } from "./consentPage.ts";
import { visitAhead } from "./visitAhead.ts";

/** Returns the consent page, or its contents as JSON to a caller that accepts only JSON. */
export function showConsent(world: World, call: Call, request: ConsentRequest): Promise<Response> | Response {
  const accept = call.req.header("accept") ?? "";
  if (!accept.includes("application/json") || accept.includes("text/html")) return consentPage(world, request);
  return jsonResponse({
    request: request.id,
    action: `${world.providerUrl(request.provider)}/consent`,
    application: request.client.name ?? request.client.clientId,
    scopes: request.scopes,
    accounts: world.catalogue
      .all(request.provider)
      .map(({ name, displayName, summary }) => ({ name, displayName, summary })),
  });
}

const decision = z.object({
  request: z.string().min(1).max(200),
  account: z.string().max(200),
  scopes: z.array(z.string().max(500)).max(50),
  decision: z.enum(["allow", "deny"]),
});

/** A user's decision on the consent page; without an account, the user denies. */
export interface Decision {
  readonly account: Account | undefined;
  readonly scopes: readonly string[];
}

/** `POST /consent`: takes the decision and redirects to the application, to what `locate` returns. */
export function consentRoutes(
  world: World,
  provider: ProviderKey,
  locate: (request: ConsentRequest, decision: Decision) => string,
): App {
  const app: App = new Hono<AppEnv>();
  app.post("/consent", async (call) => {
    call.get("trace").endpoint = "consent";
    const body = new URLSearchParams(await call.req.text());
    const parsed = decision.safeParse({
      request: body.get("request"),
      account: body.get("account") ?? "",
      scopes: body.getAll("scope"),
      decision: body.get("decision"),
    });
    if (!parsed.success)
      return errorPage(
        provider,
        "invalid_request",
        "The form is incomplete. Required: request, decision and, to allow, account.",
      );
    const account = world.catalogue.byName(provider, parsed.data.account);
    if (parsed.data.decision === "allow" && account === undefined) {
      return errorPage(provider, "unknown_account", "Unknown test account.");
    }
    const request = world.consentRequests.take(parsed.data.request);
    if (request === null || request.provider !== provider) {
      return errorPage(provider, "request_gone", "This consent request was already decided or has expired.");
    }
    call.get("trace").clientId = request.client.clientId;
    const allowing = parsed.data.decision === "allow" ? account : undefined;
    const location = locate(request, { account: allowing, scopes: parsed.data.scopes });
    if (allowing?.script.visitedAhead) await visitAhead(location);
    return call.redirect(location, 303);
  });
  return app;
}
