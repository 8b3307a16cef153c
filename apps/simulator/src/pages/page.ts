import { html, raw } from "hono/html";
import type { Account } from "../accounts/account.ts";
import { avatarSvg } from "../media/avatar.ts";
import { unguessable } from "../shared/random.ts";
import { PAGE_STYLE } from "./style.ts";

type Markup = ReturnType<typeof html>;

/** A whole page with its headers. No script runs on it, nothing may frame it, and nobody keeps it. */
export async function pageAnswer(page: {
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
  // Browsers hold a form's redirects to form-action as well, so the way back to the application has to be named.
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

/** Where a consent form may lead: back to the application, and from there on to any page on this machine or behind TLS. */
export function formTargetsFor(redirectUri: string): string {
  return `${new URL(redirectUri).origin} http://127.0.0.1:* http://localhost:* https:`;
}

export function errorPage(bodyClass: string, code: string, explanation: string): Promise<Response> {
  return pageAnswer({
    title: "This request cannot be answered",
    bodyClass,
    status: 400,
    content: html`<header><p>Simulated sign-in</p><h1>This request cannot be answered</h1></header>
<p class="notice"><strong>${code}</strong><br>${explanation}</p>
<p>Nothing was sent back to the application. Close this page and start again from there.</p>`,
  });
}

/** One account as a radio button on a card. */
export function accountChoice(account: Account, checked: boolean): Markup {
  return html`<label class="choice"><input type="radio" name="account" value="${account.name}" required${checked ? raw(" checked") : ""}>
${raw(avatarSvg(account))}<span><strong>${account.displayName}</strong><small><code>${account.name}</code></small><small>${account.summary}</small></span></label>
`;
}
