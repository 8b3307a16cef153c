import { Hono } from "hono";
import { z } from "zod";
import type { Account } from "../accounts/account.ts";
import { errorPage } from "../pages/page.ts";
import type { App, AppEnv, Call } from "../shared/http.ts";
import { jsonAnswer } from "../shared/http.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { ConsentRequest } from "../state/consentRequests.ts";
import type { ScopeRules } from "../state/providerProfile.ts";
import type { World } from "../state/world.ts";
import { consentPage } from "./consentPage.ts";
import { grantedScopes } from "./scopeRules.ts";

/** How a provider words the way back to the application. */
export interface ReturnForms {
  /** Stores a code and gives the address that carries it. */
  allowed(request: ConsentRequest, account: Account, scopes: readonly string[]): string;
  denied(request: ConsentRequest): string;
  failed(request: ConsentRequest, error: string): string;
}

/** Shows the consent page, or what is on it as JSON to a caller that asks for JSON only. */
export function showConsent(world: World, call: Call, request: ConsentRequest): Promise<Response> | Response {
  const accept = call.req.header("accept") ?? "";
  if (!accept.includes("application/json") || accept.includes("text/html")) return consentPage(world, request);
  return jsonAnswer({
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

/** `POST /consent`: the decision, answered with 303 to the application. */
export function consentRoutes(world: World, provider: ProviderKey, forms: ReturnForms): App {
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
        "The form was not complete. It needs request, decision and, to allow, an account.",
      );
    const account = world.catalogue.byName(provider, parsed.data.account);
    if (parsed.data.decision === "allow" && account === undefined) {
      return errorPage(provider, "unknown_account", "There is no test account of that name.");
    }
    const request = world.consentRequests.take(parsed.data.request);
    if (request === null || request.provider !== provider) {
      return errorPage(provider, "request_gone", "This consent was already decided, or it waited for too long.");
    }
    call.get("trace").clientId = request.client.clientId;
    const rules = world.providers[provider].scopeRules;
    return call.redirect(locationFor(forms, rules, request, account, parsed.data), 303);
  });
  return app;
}

function locationFor(
  forms: ReturnForms,
  rules: ScopeRules,
  request: ConsentRequest,
  account: Account | undefined,
  form: z.infer<typeof decision>,
): string {
  if (form.decision === "deny" || account === undefined || account.script.consent === "deny")
    return forms.denied(request);
  if (account.script.consent === "provider-error") return forms.failed(request, "server_error");
  return forms.allowed(request, account, grantedScopes(rules, account.script, request.scopes, form.scopes));
}
