import { html, raw } from "hono/html";
import type { Account } from "../accounts/account.ts";
import { avatarSvg } from "../media/avatar.ts";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";
import { pageAnswer } from "./page.ts";

/** For whoever opens the simulator's own address: what it is, and which accounts its consent pages offer. */
export function homePage(world: World): Promise<Response> {
  return pageAnswer({
    title: "Simulated providers",
    bodyClass: "issuer",
    content: html`<header><p>Social Connect, development</p><h1>Simulated providers</h1>
<p>This stands in for the three providers. Their consent pages open when an application connects an account, and offer the accounts below; an account that is named after something does it.</p></header>
${PROVIDER_KEYS.map((provider) => {
  const accounts = world.catalogue.all(provider).filter((account) => account.listed);
  return html`<details class="${provider}"><summary>Provider ${provider.slice(-1).toUpperCase()} <small>${world.providerUrl(provider)}, ${accounts.length} accounts</small></summary>
<div class="grid">${accounts.map(card)}</div></details>
`;
})}`,
  });
}

function card(account: Account) {
  const { name, displayName, summary } = account;
  return html`<div class="choice">${raw(avatarSvg(account))}<span><strong>${displayName}</strong><small><code>${name}</code></small><small>${summary}</small></span></div>
`;
}
