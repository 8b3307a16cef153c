import { html, raw } from "hono/html";
import type { Account } from "../accounts/account.ts";
import { avatarSvg } from "../media/avatar.ts";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";
import { pageResponse } from "./page.ts";

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
  return html`<details class="${provider}"><summary>Provider ${provider.slice(-1).toUpperCase()} <small>${world.providerUrl(provider)}, ${accounts.length} accounts</small></summary>
<div class="grid">${accounts.map(card)}</div></details>
`;
})}
<details><summary>OpenID providers <small>for ISSUER_URL</small></summary>
<ul>${issuers.map(({ label, url }) => html`<li>As ${label}: <code>${url}</code></li>`)}</ul></details>`,
  });
}

function card(account: Account) {
  const { name, displayName, summary } = account;
  return html`<div class="choice">${raw(avatarSvg(account))}<span><strong>${displayName}</strong><small><code>${name}</code></small><small>${summary}</small></span></div>
`;
}
