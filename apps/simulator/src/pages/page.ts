import { platformName, providerOfSlug } from "@social-connect/domain";
import { html, raw } from "hono/html";
import type { Account } from "../accounts/account.ts";
import { avatarSvg } from "../media/routes.ts";
import { PROVIDER_KEYS, type ProviderKey } from "../shared/providerKeys.ts";
import { unguessable } from "../shared/random.ts";
import type { World } from "../state/createWorld.ts";

/** Accent colors of the providers' pages, in turn. All have enough contrast with white text. */
const ACCENTS = ["#b3261e", "#0f6e66", "#7a35c9", "#8a4b08"];

const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --line: #d5dae0; --card: #fff; --ground: #f4f5f7; --accent: #1f5fbf; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a2abb5; --line: #3a4149; --card: #1d2126; --ground: #121519; } }
${PROVIDER_KEYS.map((key, index) => `body.${key} { --accent: ${ACCENTS[index % ACCENTS.length]}; }`).join(" ")} body.issuer { --accent: #1f5fbf; }
html { scroll-padding-bottom: 6rem; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 7rem; }
header { border-top: 5px solid var(--accent); background: var(--card); border-radius: .6rem; box-shadow: 0 1px 3px rgb(0 0 0 / .08); padding: 1rem 1.25rem; margin-bottom: 1.5rem; }
header p { margin: 0; color: var(--soft); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 .5rem; }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; }
legend { font-weight: 650; padding: 0; margin-bottom: .5rem; }
.grid { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(17.5rem, 1fr)); }
.choice { display: flex; gap: .7rem; align-items: flex-start; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem; }
label.choice { cursor: pointer; }
.choice:has(input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice:focus-within { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 1px; }
.choice input { accent-color: var(--accent); margin-top: .35rem; flex: none; }
.choice svg { width: 2.75rem; height: 2.75rem; border-radius: 50%; flex: none; }
.choice strong { display: block; overflow-wrap: anywhere; }
.choice small { color: var(--soft); display: block; overflow-wrap: anywhere; }
code { font-size: .9em; }
summary { margin-bottom: .75rem; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; font-weight: 650; cursor: pointer; }
summary small { color: var(--soft); font-weight: 400; margin-left: .4rem; }
summary:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 1px; }
details { margin-bottom: .75rem; }
details legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.actions { position: fixed; inset: auto 0 0 0; background: var(--card); border-top: 1px solid var(--line); padding: .8rem 1rem; }
.actions div { max-width: 60rem; margin: 0 auto; display: flex; gap: .75rem; justify-content: flex-end; }
button { font: inherit; font-weight: 650; border-radius: .5rem; padding: .6rem 1.6rem; border: 1px solid var(--line); background: transparent; color: var(--ink); cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 2px; }
.notice { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: .5rem; padding: 1rem; }
`;

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

/** The page at the simulator's own URL: lists the accounts. */
export function homePage(
  world: World,
  issuers: readonly { readonly label: string; readonly url: string }[],
): Promise<Response> {
  return pageResponse({
    title: "Simulated providers",
    bodyClass: "issuer",
    content: html`<header><p>Social Connect, development</p><h1>Simulated providers</h1>
<p>This server simulates the providers. Their consent pages offer the accounts below. Scripted accounts behave as their names suggest.</p></header>
${PROVIDER_KEYS.map((provider) => {
  const accounts = world.catalogue.all(provider).filter((account) => account.listed);
  return html`<details class="${provider}"><summary>${platformOf(provider)} <small>${provider}, ${world.providerUrl(provider)}, ${accounts.length} accounts</small></summary>
<div class="grid">${accounts.map(card)}</div></details>
`;
})}
<details><summary>OpenID providers <small>for ISSUER_URL</small></summary>
<ul>${issuers.map(({ label, url }) => html`<li>As ${label}: <code>${url}</code></li>`)}</ul></details>`,
  });
}

export function platformOf(key: ProviderKey): string {
  const provider = providerOfSlug(key);
  return provider === null ? key : platformName(provider);
}

/** The page at a provider's own URL. */
export function providerPage(world: World, provider: ProviderKey): Promise<Response> {
  const platform = platformOf(provider);
  return pageResponse({
    title: `${platform}, simulated`,
    bodyClass: provider,
    content: html`<header><p>Social Connect, development</p><h1>${platform}, simulated</h1>
<p>The service sends users to a consent page here, and reads accounts and posts by the provider’s own API.</p></header>
<p class="notice">Start in your application: press Connect. The <a href="${world.baseUrl()}/">list of accounts</a> describes each account.</p>`,
  });
}

export function issuerPage(issuerUrl: string): Promise<Response> {
  return pageResponse({
    title: "OpenID provider, simulated",
    bodyClass: "issuer",
    content: html`<header><p>Social Connect, development</p><h1>OpenID provider, simulated</h1>
<p>Users of the identity handoff and admins of the panel sign in here.</p></header>
<p class="notice">Start in your application, or in the admin panel. Programs read <a href="${issuerUrl}/.well-known/openid-configuration">the metadata</a>.</p>`,
  });
}

function card(account: Account) {
  const { name, displayName, summary } = account;
  return html`<div class="choice">${raw(avatarSvg(account))}<span><strong>${displayName}</strong><small><code>${name}</code></small><small>${summary}</small></span></div>
`;
}
