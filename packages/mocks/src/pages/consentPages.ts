import type { SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import { grantedScopes, isRequiredScope } from "@social-connect/provider-fixtures";
import { type Incoming, jsonReply, type Reply, readForm, wantsJson } from "../http/exchange.ts";
import { findAccount } from "../providers/accounts.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { codeKey } from "../providers/scopes.ts";
import { offeredNames, SCRIPTS } from "../providers/scripts.ts";
import { providerCallback, providerIssuer } from "../state/addresses.ts";
import type { World } from "../world/world.ts";
import { badRequest, formPage, html, radioChoice, redirect } from "./pages.ts";

/**
 * `GET …/authorize`: the provider's consent page. A person picks an account and allows or denies; a program posts the same
 * form. With `Accept: application/json`, the response describes the form as JSON.
 */
export function showConsent(world: World, request: Incoming, provider: SocialProvider): Reply {
  const query = request.url.searchParams;
  const state = query.get("state") ?? "";
  if (query.get("redirect_uri") !== providerCallback(world.settings, provider)) {
    return badRequest("redirect_uri is not the callback of this service.");
  }
  const scopes = scopesIn(query.get("scope"));
  const action = `${providerIssuer(world.settings, provider)}/consent`;
  const names = offeredNames(provider);
  if (wantsJson(request)) return jsonReply(200, { action, state, scopes, accounts: names });

  const boxes = scopes.map((scope) => {
    const disabled = isRequiredScope(PROVIDERS[provider].scopes, scopes, scope) ? " disabled" : "";
    return html`<label><input type="checkbox" name="scope" value="${scope}" checked${disabled}> ${scope}</label>`;
  });
  const accounts = names.map((name, index) => radioChoice("account", name, summaryOf(name), index));
  const content = html`<p>This page simulates the consent page of ${PROVIDERS[provider].label}. No data leaves the mock.</p>
<form method="post" action="${action}"><input type="hidden" name="state" value="${state}"><input type="hidden" name="requested" value="${scopes.join(" ")}">
<fieldset><legend>Permissions</legend>${boxes}</fieldset>
<fieldset><legend>Account</legend>${accounts}
<label>Another account: <input type="text" name="other" autocomplete="off"></label></fieldset>
<button name="decision" value="deny">Deny</button><button name="decision" value="allow">Allow</button></form>`;
  const targets = [...world.state.applications.values()].flatMap((application) => application.webOrigins);
  return formPage("Allow the application to read your account?", content, targets);
}

/** `POST …/consent`: the decision; redirects to the service's callback. */
export async function takeConsent(
  world: World,
  request: Incoming,
  provider: SocialProvider,
  visitAhead: (address: string) => Promise<void>,
): Promise<Reply> {
  const form = await readForm(request);
  const state = form?.get("state") ?? "";
  const decision = form?.get("decision");
  if (form === null || state === "" || (decision !== "allow" && decision !== "deny")) {
    return badRequest("The form needs state, decision (allow or deny) and, to allow, an account.");
  }
  const name = form.get("other")?.trim() || (form.get("account") ?? "");
  const account = findAccount(provider, name);
  const addressOf = (parameters: Record<string, string>) =>
    `${providerCallback(world.settings, provider)}?${new URLSearchParams({ ...parameters, state })}`;
  const redirectBack = (parameters: Record<string, string>) => redirect(addressOf(parameters));
  const { callbackFragment } = PROVIDER_TRAITS[provider];
  if (decision === "deny") return redirectBack({ error: "access_denied" });
  if (account === null) return badRequest("This provider has no account of that name.");
  if (account.script.consent === "deny") return redirectBack({ error: "access_denied" });
  if (account.script.consent === "provider-error") return redirectBack({ error: "server_error" });
  const requested = scopesIn(form.get("requested"));
  const scopes = grantedScopes(PROVIDERS[provider].scopes, account.script, requested, form.getAll("scope"));
  const code = world.newSecret();
  world.state.providers.codes.set(codeKey(provider, code, state), { provider, account: account.name, scopes });
  if (account.script.visitedAhead) await visitAhead(addressOf({ code }));
  return redirect(addressOf({ code }) + callbackFragment);
}

function scopesIn(text: string | null): string[] {
  return (text ?? "").split(" ").filter((scope) => scope !== "");
}

function summaryOf(name: string): string {
  return Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name as keyof typeof SCRIPTS].summary : "An ordinary account.";
}
