import { html } from "hono/html";
import { DEMO_USERS } from "../core/users.ts";
import { initials } from "./format.ts";
import type { Html } from "./layout.ts";
import { page } from "./layout.ts";

export function signInPage(): Html {
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
</section>`,
  );
}
