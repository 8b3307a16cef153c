import { html } from "hono/html";
import { DEMO_USERS } from "../core/users.ts";
import { initials } from "./format.ts";
import { type Html, page } from "./layout.ts";

/** `hasIdentity`: whether the deployment's identity provider can be used. */
export function signInPage(hasIdentity: boolean): Html {
  return page(
    { title: "Sign in" },
    html`<section class="sign-in">
<h1>All your posts,<br>in one quiet place.</h1>
<p class="lead">Atelier gathers what you publish elsewhere. Pick who you are: this example has no passwords.</p>
<ul class="people">
${DEMO_USERS.map(
  (user) => html`<li><form method="post" action="/sign-in">
<input type="hidden" name="user" value="${user.id}">
<button class="person" type="submit">
<span class="initials" aria-hidden="true">${initials(user.name)}</span>
<span><strong>${user.name}</strong><small>${user.role}</small></span>
</button>
</form></li>`,
)}
</ul>
${hasIdentity ? html`<div class="identity"><p class="fine">Or as yourself:</p>${identityForm("Sign in with a company account")}</div>` : ""}
</section>`,
  );
}

export function identityForm(label: string): Html {
  return html`<form method="post" action="/identity"><button class="button" type="submit">${label}</button></form>`;
}
