import type { SocialProvider } from "@social-connect/contract";
import type { Incoming, Reply } from "../http/exchange.ts";
import { jsonReply, readForm } from "../http/exchange.ts";
import { escapeHtml } from "../http/html.ts";
import { findAccount } from "../providers/accounts.ts";
import { codeKey } from "../providers/codeKey.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { grantedScopes, isRequiredScope } from "../providers/scopes.ts";
import { offeredNames, SCRIPTS } from "../providers/scripts.ts";
import { MOCK_PATH, providerCallback, providerIssuer, providerSlug } from "../state/addresses.ts";
import type { World } from "../world/world.ts";
import { errorPage, formPage, redirect } from "./pages.ts";

/**
 * `GET …/authorize`: the page that stands for a provider's consent. A person picks an account and allows or denies; a program
 * posts the same form. With `Accept: application/json` it is described as JSON.
 */
export function showConsent(world: World, request: Incoming, provider: SocialProvider): Reply {
  const query = request.url.searchParams;
  const state = query.get("state") ?? "";
  if (query.get("redirect_uri") !== providerCallback(world.settings, provider)) {
    return badRequest("The address that the browser is to be sent back to is not the service's.");
  }
  const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  const action = `${providerIssuer(world.settings, provider)}/consent`;
  const names = offeredNames(provider);
  if (wantsJson(request)) return jsonReply(200, { action, state, scopes, accounts: names });

  const hidden = `<input type="hidden" name="state" value="${escapeHtml(state)}"><input type="hidden" name="requested" value="${escapeHtml(scopes.join(" "))}">`;
  const boxes = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked${isRequiredScope(provider, scopes, scope) ? " disabled" : ""}> ${escapeHtml(scope)}</label>`,
  );
  const accounts = names.map(
    (name, index) =>
      `<label><input type="radio" name="account" value="${escapeHtml(name)}"${index === 0 ? " checked" : ""}> ${escapeHtml(name)} <small>${escapeHtml(summaryOf(name))}</small></label>`,
  );
  const content = `<p>This page stands for ${PROVIDERS[provider].label}. Nobody is asked anything outside of this mock.</p>
<form method="post" action="${escapeHtml(action)}">${hidden}
<fieldset><legend>What it may read</legend>${boxes.join("")}</fieldset>
<fieldset><legend>Who are you?</legend>${accounts.join("")}
<label>Another account: <input type="text" name="other" autocomplete="off"></label></fieldset>
<button name="decision" value="deny">Deny</button><button name="decision" value="allow">Allow</button></form>`;
  const targets = [...world.state.applications.values()].flatMap((application) => application.webOrigins);
  return formPage("Allow the application to read your account?", content, targets);
}

/** `POST …/consent`: the decision, answered with the way back to the service. */
export async function takeConsent(world: World, request: Incoming, provider: SocialProvider): Promise<Reply> {
  const form = await readForm(request);
  const state = form?.get("state") ?? "";
  const decision = form?.get("decision");
  if (form === null || state === "" || (decision !== "allow" && decision !== "deny")) {
    return badRequest("The form needs state, decision (allow or deny) and, to allow, an account.");
  }
  const name = form.get("other")?.trim() || (form.get("account") ?? "");
  const account = findAccount(provider, name);
  const back = (parameters: Record<string, string>) =>
    redirect(`${providerCallback(world.settings, provider)}?${new URLSearchParams({ ...parameters, state })}`);
  if (decision === "deny") return back({ error: "access_denied" });
  if (account === null) return badRequest("There is no account of that name at this provider.");
  if (account.script.consent === "deny") return back({ error: "access_denied" });
  if (account.script.consent === "provider-error") return back({ error: "server_error" });
  const requested = (form.get("requested") ?? "").split(" ").filter((scope) => scope !== "");
  const scopes = grantedScopes(provider, account.script, requested, form.getAll("scope"));
  const code = world.newSecret();
  world.state.providers.codes.set(codeKey(provider, code, state), { provider, account: account.name, scopes });
  return back({ code });
}

export function consentPath(provider: SocialProvider): string {
  return `${MOCK_PATH}/providers/${providerSlug(provider)}`;
}

export function wantsJson(request: Incoming): boolean {
  const accept = request.headers.get("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

export function badRequest(happened: string): Reply {
  return errorPage({
    status: 400,
    title: "This cannot be done",
    happened,
    whatToDo: "Go back and try again.",
  });
}

function summaryOf(name: string): string {
  return Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name as keyof typeof SCRIPTS].summary : "An ordinary account.";
}
