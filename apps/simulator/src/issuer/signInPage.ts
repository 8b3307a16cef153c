import { html, raw } from "hono/html";
import { formTargetsFor, pageAnswer } from "../pages/page.ts";
import { portrait } from "./portrait.ts";
import { USERS } from "./users.ts";

interface SignInRequest {
  readonly uid: string;
  readonly application: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Name of the person to be selected at first. */
  readonly hint: string | null;
}

/** Who are you, and may the application know? Both in one plain form. */
export function signInPage(request: SignInRequest): Promise<Response> {
  const selected =
    USERS.find(({ name, email }) => request.hint !== null && (name === request.hint || email === request.hint)) ??
    USERS[0];
  return pageAnswer({
    title: `Sign in to ${request.application}`,
    bodyClass: "issuer",
    formTargets: formTargetsFor(request.redirectUri),
    content: html`<header><p>OpenID provider, simulated</p><h1>Sign in to ${request.application}</h1>
<p>It learns your ${request.scopes.filter((scope) => scope !== "openid").join(" and ") || "identity"}. You are sent back to ${new URL(request.redirectUri).host}.</p></header>
<form method="post" action="/interaction/${request.uid}">
<fieldset><legend>Who are you?</legend><div class="grid">${USERS.map(
      (
        person,
      ) => html`<label class="choice"><input type="radio" name="person" value="${person.name}" required${person === selected ? raw(" checked") : ""}>
${raw(portrait(person))}<span><strong>${person.displayName}</strong><small>${person.email ?? "no e-mail"}</small><small>${person.summary}</small></span></label>
`,
    )}</div></fieldset>
<div class="actions"><div><button name="decision" value="deny" formnovalidate>Deny</button><button class="main" name="decision" value="allow">Continue</button></div></div>
</form>`,
  });
}
