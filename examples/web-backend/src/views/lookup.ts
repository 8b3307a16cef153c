import { html } from "hono/html";
import type { User } from "../core/users.ts";
import { type Html, page } from "./layout.ts";

export interface LookupFormModel {
  readonly connectionId: string;
  /** What the user submitted, while it has not succeeded. */
  readonly draft: string;
  readonly problem?: string | undefined;
}

/** Keeps what was typed: over a reload by `public/drafts.js`, over an error by the application. */
export function lookupForm({ connectionId, draft, problem }: LookupFormModel): Html {
  const described = problem === undefined ? html`` : html`aria-invalid="true" aria-describedby="url-problem"`;
  return html`<form class="lookup" method="post" action="/accounts/${connectionId}/lookup">
<label for="url">Find a post by its address</label>
<div><input id="url" name="url" type="url" required maxlength="2048" placeholder="https://" autocomplete="off" value="${draft}" data-draft="${lookupDraft(connectionId)}" ${described}><button class="button" type="submit">Find</button></div>
${problem === undefined ? "" : html`<p class="problem" id="url-problem" role="alert">${problem}</p>`}
</form>`;
}

/** The name of the draft of an account's lookup form. */
export function lookupDraft(connectionId: string): string {
  return `lookup ${connectionId}`;
}

export function lookupPage(user: User, form: LookupFormModel): Html {
  return page(
    { title: "Find a post", user },
    html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Your accounts</a> <a href="/accounts/${form.connectionId}">Account</a></nav>
<section class="message ${form.problem === undefined ? "calm" : "bad"}"><h1>Find a post</h1>${lookupForm(form)}</section>`,
  );
}
