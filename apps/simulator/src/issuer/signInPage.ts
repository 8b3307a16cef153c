import { html, raw } from "hono/html";
import { formTargetsFor, pageResponse } from "../pages/page.ts";
import { portrait, USERS } from "./users.ts";

interface SignInRequest {
  readonly application: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly hint: string | null;
}

/** The sign-in page: a plain form for sign-in and consent. */
export function signInPage(request: SignInRequest): Promise<Response> {
  const selected =
    USERS.find(({ name, email }) => request.hint !== null && (name === request.hint || email === request.hint)) ??
    USERS[0];
  return pageResponse({
    title: `Sign in to ${request.application}`,
    bodyClass: "issuer",
    formTargets: formTargetsFor(request.redirectUri),
    content: html`<header><p>OpenID provider, simulated</p><h1>Sign in to ${request.application}</h1>
<p>It can read your ${request.scopes.filter((scope) => scope !== "openid").join(" and ") || "identity"}. You will return to ${new URL(request.redirectUri).host}.</p></header>
<form method="post">
<fieldset><legend>User</legend><div class="grid">${USERS.map(
      (
        person,
      ) => html`<label class="choice"><input type="radio" name="person" value="${person.name}" required${person === selected ? raw(" checked") : ""}>
${raw(portrait(person))}<span><strong>${person.displayName}</strong><small>${person.email ?? "no email"}</small><small>${person.summary}</small></span></label>
`,
    )}</div></fieldset>
<div class="actions"><div><button name="decision" value="deny" formnovalidate>Deny</button><button class="main" name="decision" value="allow">Continue</button></div></div>
</form>`,
  });
}
