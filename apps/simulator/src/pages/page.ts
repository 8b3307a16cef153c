import { platformName } from "@social-connect/domain";
import { html, raw } from "hono/html";
import type { Account } from "../accounts/account.ts";
import { avatarSvg } from "../media/routes.ts";
import { nameOf, PROVIDER_KEYS } from "../shared/providerKeys.ts";
import { unguessable } from "../shared/random.ts";
import type { World } from "../state/createWorld.ts";

const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dae0, #3a4149); --card: light-dark(#fff, #1d2126); --accent: #1f5fbf; }
* { box-sizing: border-box; } html { scroll-padding-bottom: 6rem; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem; background: light-dark(#f4f5f7, #121519); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 .5rem; }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; } legend { font-weight: 650; margin-bottom: .5rem; padding: 0; }
small, header p { color: light-dark(#59636e, #a2abb5); }
.grid { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(17.5rem, 1fr)); }
.choice, summary, .notice, .actions { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem; }
.choice { display: flex; gap: .7rem; align-items: flex-start; }
.choice input { accent-color: var(--accent); flex: none; }
.choice svg { width: 2.75rem; height: 2.75rem; border-radius: 50%; flex: none; }
.choice strong, .choice small { display: block; overflow-wrap: anywhere; }
summary { margin-bottom: .75rem; }
.actions { position: sticky; bottom: 0; display: flex; gap: .75rem; justify-content: flex-end; }
button { border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; font: inherit; font-weight: 650; padding: .6rem 1.6rem; }
button.main { background: var(--accent); border-color: var(--accent); color: #fff; }
`;

type Markup = ReturnType<typeof html>;

/** A page with headers that forbid scripts, framing and caching. */
export async function pageResponse(page: {
  title: string;
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
<body>
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

export function errorPage(code: string, explanation: string): Promise<Response> {
  return pageResponse({
    title: "Invalid request",
    status: 400,
    content: html`<header><p>Simulated sign-in</p><h1>Invalid request</h1></header>
<p class="notice"><strong>${code}</strong><br>${explanation}</p>
<p>The application was not notified. Close this page and start again in the application.</p>`,
  });
}

/** An account of a form; with `checked` null, of a list. */
export function accountChoice(account: Account, checked: boolean | null): Markup {
  const input = html`<input type="radio" name="account" value="${account.name}" required${checked ? raw(" checked") : ""}>`;
  return html`<label class="choice">${checked === null ? "" : input}${raw(avatarSvg(account))}<span><strong>${account.displayName}</strong><small><code>${account.name}</code></small><small>${account.summary}</small></span></label>
`;
}

/** The page at the simulator's own URL: lists the accounts. */
export function homePage(
  world: World,
  issuers: readonly { readonly label: string; readonly url: string }[],
): Promise<Response> {
  return pageResponse({
    title: "Simulated providers",
    content: html`<header><p>Social Connect, development</p><h1>Simulated providers</h1>
<p>This server simulates the providers. Their consent pages offer the accounts below. Scripted accounts behave as their names suggest.</p></header>
${PROVIDER_KEYS.map((provider) => {
  const accounts = world.catalogue.all(provider).filter((account) => account.listed);
  return html`<details class="${provider}"><summary>${platformName(nameOf(provider))} <small>${provider}, ${world.providerUrl(provider)}, ${accounts.length} accounts</small></summary>
<div class="grid">${accounts.map((account) => accountChoice(account, null))}</div></details>
`;
})}
<details><summary>OpenID providers <small>for ISSUER_URL</small></summary>
<ul>${issuers.map(({ label, url }) => html`<li>As ${label}: <code>${url}</code></li>`)}</ul></details>`,
  });
}
