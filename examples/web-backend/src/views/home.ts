import type { IntegrationReadiness } from "@social-connect/sdk";
import { html } from "hono/html";
import { hasEnded, type KnownAccount, nameOf } from "../core/accounts.ts";
import type { Outage } from "../core/outage.ts";
import type { SavedDisconnection } from "../core/store.ts";
import type { User } from "../core/users.ts";
import { avatar, connectForm, outageBanner, popupNotice, statusBadge } from "./components.ts";
import { day, moment } from "./format.ts";
import { type Html, page } from "./layout.ts";
import { PROVIDERS, providerName, type ShownProvider } from "./providers.ts";

export interface HomeModel {
  readonly user: User;
  /** Null when the service could not say: every action is shown as unavailable then. */
  readonly readiness: IntegrationReadiness | null;
  readonly accounts: readonly KnownAccount[];
  /** Why the accounts are those of an earlier response. */
  readonly outage: Outage | undefined;
  readonly disconnections: readonly (SavedDisconnection & { readonly connectionId: string })[];
}

export function homePage(model: HomeModel): Html {
  const { user, accounts, outage, disconnections } = model;
  const linked = countOf(accounts.filter((account) => !hasEnded(account)).length);
  return page(
    { title: "Your accounts", user },
    html`${popupNotice()}
<section class="intro">
<h1>Hello, ${user.name.split(" ")[0] ?? user.name}.</h1>
${outage === undefined || accounts.length > 0 ? html`<p class="lead">${linked}</p>` : ""}
${outageBanner(outage, accounts[0]?.seenAt)}
</section>
<section class="providers" aria-label="Providers">${PROVIDERS.map((provider) => providerCard(model, provider))}</section>
${disconnections.length === 0 ? "" : disconnectionList(disconnections)}`,
  );
}

function countOf(linked: number): string {
  if (linked === 0) return "Link an account to see its posts here.";
  return `${linked} ${linked === 1 ? "account" : "accounts"} linked.`;
}

function providerCard(model: HomeModel, provider: ShownProvider): Html {
  const accounts = model.accounts.filter(({ connection }) => connection.provider === provider.id);
  const available =
    model.readiness?.providers.some((entry) => entry.provider === provider.id && entry.available) ?? false;
  return html`<article class="card provider tone-${provider.id.slice(-1).toLowerCase()}">
<header class="provider-head">
<span class="provider-mark" aria-hidden="true">${provider.mark}</span>
<div><h2>${provider.name}</h2><p class="provider-about">${provider.text}</p></div>
</header>
${accounts.length === 0 ? "" : html`<ul class="accounts">${accounts.map((account) => accountRow(account, available))}</ul>`}
<footer>
${connectForm(provider.id, { label: accounts.length === 0 ? "Connect" : "Connect another", available })}
</footer>
</article>`;
}

function accountRow(account: KnownAccount, available: boolean): Html {
  const { id, provider, status } = account.connection;
  const path = hasEnded(account) ? `/receipts/${id}` : `/accounts/${id}`;
  return html`<li><a class="account" href="${path}">${avatar(account)}<span class="account-name"><strong>${nameOf(account)}</strong>
<small>${account.profile?.handle ?? "linked account"}</small></span>${statusBadge(status)}</a>
${
  status === "RECONNECT_REQUIRED"
    ? html`<div class="reconnect"><p class="fine">Last read ${moment(account.lastReadAt)}</p>
${connectForm(provider, { label: "Reconnect", available, connectionId: id })}</div>`
    : ""
}</li>`;
}

function disconnectionList(disconnections: HomeModel["disconnections"]): Html {
  return html`<section class="disconnections">
<h2>Disconnected</h2>
<ul>${disconnections.map(
    (disconnection) => html`<li><a href="/receipts/${disconnection.connectionId}">${disconnection.accountName}</a>
<small>${providerName(disconnection.provider)}, ${day(disconnection.at.toISOString())}</small></li>`,
  )}</ul>
</section>`;
}
