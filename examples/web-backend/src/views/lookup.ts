import { html } from "hono/html";
import type { User } from "../core/users.ts";
import { type Html, page } from "./layout.ts";

export interface LookupFormModel {
  readonly connectionId: string;
  /** What the user submitted, if it has not succeeded. */
  readonly url?: string | undefined;
  readonly problem?: string | undefined;
}

function lookupForm({ connectionId, url = "", problem }: LookupFormModel): Html {
  const described = problem === undefined ? html`` : html`aria-invalid="true" aria-describedby="url-problem"`;
  return html`<form class="lookup" method="post" action="/accounts/${connectionId}/lookup">
<label for="url">Find a post by its address</label>
<div><input id="url" name="url" type="url" required maxlength="2048" placeholder="https://" autocomplete="off" value="${url}" ${described}><button class="button" type="submit">Find</button></div>
${problem === undefined ? "" : html`<p class="problem" id="url-problem" role="alert">${problem}</p>`}
</form>`;
}

export function lookupPage(user: User, form: LookupFormModel): Html {
  return page(
    { title: "Find a post", user },
    html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Your accounts</a> <a href="/accounts/${form.connectionId}">Account</a></nav>
<section class="message ${form.problem === undefined ? "calm" : "bad"}"><h1>Find a post</h1>${lookupForm(form)}</section>`,
  );
}
