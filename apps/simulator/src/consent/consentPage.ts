import { isRequiredScope } from "@social-connect/provider-fixtures";
import { html, raw } from "hono/html";
import { accountChoice, formTargetsFor, pageResponse, platformOf } from "../pages/page.ts";
import type { ConsentRequest } from "../state/consentRequests.ts";
import type { World } from "../state/createWorld.ts";

/** The consent page: a plain form without scripts, on which a user selects an account and allows or denies. */
export function consentPage(world: World, request: ConsentRequest): Promise<Response> {
  const accounts = world.catalogue.all(request.provider).filter((account) => account.listed);
  const ordinary = accounts.filter((account) => account.ordinary);
  const scripted = accounts.filter((account) => !account.ordinary);
  const selected = accounts.find((account) => account.name === request.hint) ?? ordinary[0];
  const application = request.client.name ?? request.client.clientId;
  const rules = world.providers[request.provider].scopeRules;
  return pageResponse({
    title: `Allow ${application} to read your account?`,
    bodyClass: request.provider,
    formTargets: formTargetsFor(request.redirectUri),
    content: html`<header><p>${platformOf(request.provider)}, simulated</p><h1>Allow ${application} to read your account?</h1>
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
<details${selected?.ordinary === false ? raw(" open") : ""}><summary>Scripted accounts <small>${scripted.length} accounts that simulate faults and special cases</small></summary>
<fieldset><legend>Scripted accounts</legend><div class="grid">${scripted.map((account) => accountChoice(account, account === selected))}</div></fieldset></details>
<div class="actions"><div><button name="decision" value="deny" formnovalidate>Deny</button><button class="main" name="decision" value="allow">Allow</button></div></div>
</form>`,
  });
}
