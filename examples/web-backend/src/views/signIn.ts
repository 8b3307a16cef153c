import { html } from "hono/html";
import { DEMO_USERS } from "../core/store.ts";
import { type Html, page } from "./layout.ts";

/** `hasIdentity`: whether the deployment's identity provider can be used. */
export function signInPage(hasIdentity: boolean): Html {
  return page(
    { title: "Sign in" },
    html`<section class="message">
<h1>All your posts,<br>in one quiet place.</h1>
<p>Atelier gathers what you publish elsewhere. Pick who you are: this example has no passwords.</p>
<form class="people" method="post" action="/sign-in">${DEMO_USERS.map(
      ({ id, name, role }) =>
        html`<button class="card person" name="user" value="${id}"><strong>${name}</strong><small>${role}</small></button>`,
    )}</form>
${hasIdentity ? html`<p class="fine">Or as yourself:</p>${identityForm("Sign in with a company account")}` : ""}
</section>`,
  );
}

export function identityForm(label: string): Html {
  return html`<form method="post" action="/identity"><button class="button">${label}</button></form>`;
}
