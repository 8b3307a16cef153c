import { platformName } from "@social-connect/domain";
import { isRequiredScope } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import { html, raw } from "hono/html";
import { z } from "zod";
import type { Account } from "../accounts/account.ts";
import { accountChoice, errorPage, formTargetsFor, pageResponse } from "../pages/page.ts";
import { type App, type AppEnv, type Call, jsonResponse } from "../shared/http.ts";
import { nameOf, type ProviderKey } from "../shared/providerKeys.ts";
import type { ConsentRequest } from "../state/consentRequests.ts";
import type { World } from "../state/createWorld.ts";
import { rememberAccount, signOut } from "./session.ts";
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
    accounts: offeredAccounts(world, request).map(({ name, displayName, summary }) => ({ name, displayName, summary })),
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

/**
 * `POST /consent`: takes the decision and redirects to the application, to what `locate` returns. Remembers the account, as a
 * provider does. `GET /sign-out` deletes it.
 */
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
        "invalid_request",
        "The form is incomplete. Required: request, decision and, to allow, account.",
      );
    const account = world.catalogue.byName(provider, parsed.data.account);
    if (parsed.data.decision === "allow" && account === undefined) {
      return errorPage("unknown_account", "Unknown test account.");
    }
    const request = world.consentRequests.take(parsed.data.request);
    if (account !== undefined && request?.signedInAs != null && request.signedInAs !== account.name) {
      return errorPage("wrong_account", `This browser is signed in as ${request.signedInAs}.`);
    }
    if (request === null || request.provider !== provider) {
      return errorPage("request_gone", "This consent request was already decided or has expired.");
    }
    call.get("trace").clientId = request.client.clientId;
    const allowing = parsed.data.decision === "allow" ? account : undefined;
    const location = locate(request, { account: allowing, scopes: parsed.data.scopes });
    if (allowing !== undefined) rememberAccount(call, allowing, provider);
    if (allowing?.script.visitedAhead) await visitAhead(location);
    return call.redirect(location, 303);
  });
  app.get("/sign-out", (call) => {
    call.get("trace").endpoint = "sign-out";
    signOut(call, provider);
    return call.redirect("/");
  });
  return app;
}

/** Every account, or only the account with which the person is signed in. */
function offeredAccounts(world: World, { provider, signedInAs }: ConsentRequest): readonly Account[] {
  const accounts = world.catalogue.all(provider);
  return signedInAs === null ? accounts : accounts.filter(({ name }) => name === signedInAs);
}

/** The consent page: a plain form without scripts, on which a user selects an account and allows or denies. */
function consentPage(world: World, request: ConsentRequest): Promise<Response> {
  const { signedInAs } = request;
  const accounts = offeredAccounts(world, request).filter((account) => account.listed || signedInAs !== null);
  const ordinary = accounts.filter((account) => account.ordinary || signedInAs !== null);
  const scripted = accounts.filter((account) => !ordinary.includes(account));
  const selected = accounts.find((account) => account.name === request.hint) ?? ordinary[0];
  const application = request.client.name ?? request.client.clientId;
  const rules = world.providers[request.provider].scopeRules;
  return pageResponse({
    title: `Allow ${application} to read your account?`,
    formTargets: formTargetsFor(request.redirectUri),
    content: html`<header><p>${platformName(nameOf(request.provider))}, simulated</p><h1>Allow ${application} to read your account?</h1>
<p>You will return to ${new URL(request.redirectUri).host}.</p></header>
<form method="post" action="/consent">
<input type="hidden" name="request" value="${request.id}">
<fieldset><legend>Permissions</legend><div class="grid">${request.scopes.map(
      (
        scope,
      ) => html`<label class="choice"><input type="checkbox" name="scope" value="${scope}" checked${isRequiredScope(rules, request.scopes, scope) ? raw(" disabled") : ""}><span><strong>${rules.labels[scope] ?? scope}</strong><small><code>${scope}</code></small>${
        isRequiredScope(rules, request.scopes, scope) ? html`<small>Always included</small>` : ""
      }</span></label>
`,
    )}</div></fieldset>
<fieldset><legend>Account</legend><div class="grid">${ordinary.map((account) => accountChoice(account, account === selected))}</div></fieldset>
${
  signedInAs === null
    ? html`<details${selected?.ordinary === false ? raw(" open") : ""}><summary>Scripted accounts <small>${scripted.length} accounts that simulate faults and special cases</small></summary>
<fieldset><legend>Scripted accounts</legend><div class="grid">${scripted.map((account) => accountChoice(account, account === selected))}</div></fieldset></details>`
    : html`<p>You are signed in as <strong>${signedInAs}</strong>. <a href="/sign-out">Sign out</a> to use another account.</p>`
}
<div class="actions"><button name="decision" value="deny" formnovalidate>Deny</button><button class="main" name="decision" value="allow">Allow</button></div>
</form>`,
  });
}
