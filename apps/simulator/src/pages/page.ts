import { html, raw } from "hono/html";
import type { Account } from "../accounts/account.ts";
import { avatarSvg } from "../media/avatar.ts";
import { unguessable } from "../shared/random.ts";
import { PAGE_STYLE } from "./style.ts";

type Markup = ReturnType<typeof html>;

/** A page with headers that forbid scripts, framing and caching. */
export async function pageResponse(page: {
  title: string;
  bodyClass: string;
  content: Markup;
  status?: number;
  formTargets?: string;
}): Promise<Response> {
  const nonce = unguessable(12);
  const body = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<style nonce="${nonce}">${raw(PAGE_STYLE)}</style>
</head>
<body class="${page.bodyClass}">
<main>${page.content}</main>
</body>
</html>
`;
  // Browsers also check a form's redirects against form-action, so it must include the application.
  const formAction = page.formTargets === undefined ? "'none'" : `'self' ${page.formTargets}`;
  return new Response(String(body), {
    status: page.status ?? 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' data:; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** The form-action sources of a consent form: the application, and any page on this machine or with https. */
export function formTargetsFor(redirectUri: string): string {
  return `${new URL(redirectUri).origin} http://127.0.0.1:* http://localhost:* https:`;
}

export function errorPage(bodyClass: string, code: string, explanation: string): Promise<Response> {
  return pageResponse({
    title: "Invalid request",
    bodyClass,
    status: 400,
    content: html`<header><p>Simulated sign-in</p><h1>Invalid request</h1></header>
<p class="notice"><strong>${code}</strong><br>${explanation}</p>
<p>The application was not notified. Close this page and start again in the application.</p>`,
  });
}

export function accountChoice(account: Account, checked: boolean): Markup {
  return html`<label class="choice"><input type="radio" name="account" value="${account.name}" required${checked ? raw(" checked") : ""}>
${raw(avatarSvg(account))}<span><strong>${account.displayName}</strong><small><code>${account.name}</code></small><small>${account.summary}</small></span></label>
`;
}
