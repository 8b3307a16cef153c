import { html } from "hono/html";
import type { User } from "../core/users.ts";
import { type Html, linkButton, page } from "./layout.ts";

/** The last page of a popup: `public/handover.js` gives the attempt to the page that opened it, which shows the result. */
export function handoverPage(user: User, attempt: string, popup: string): Html {
  const here = `/return?display=page&ss_session_id=${encodeURIComponent(attempt)}`;
  return page(
    { title: "Back from the provider", user },
    html`<section class="message good" data-handover-popup="${popup}" data-handover-attempt="${attempt}">
<span class="message-mark" aria-hidden="true"></span>
<h1>You are back</h1>
<p>The other window shows the result. You can close this one.</p>
<div class="actions">${linkButton(here, "Continue in this window")}</div>
</section>`,
  );
}
