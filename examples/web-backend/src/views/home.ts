import type { IntegrationReadiness } from "@social-connect/sdk";
import { html } from "hono/html";
import { hasEnded, type KnownAccount, nameOf } from "../core/accounts.ts";
import type { LoadedAccounts } from "../core/load.ts";
import type { SavedDisconnection, User } from "../core/store.ts";
import { avatar, connectForm, outageBanner, statusBadge } from "./components.ts";
import { day, moment } from "./format.ts";
import { type Html, page } from "./layout.ts";
import { PROVIDERS, providerName, type ShownProvider } from "./providers.ts";

export interface HomeModel extends LoadedAccounts {
  readonly user: User;
  /** Null when the service could not say: every action is shown as unavailable then. */
  readonly readiness: IntegrationReadiness | null;
  readonly disconnections: readonly (SavedDisconnection & { readonly connectionId: string })[];
}

export function homePage(model: HomeModel): Html {
  const { user, accounts, outage, disconnections } = model;
  const linked = accounts.filter(({ connection }) => !hasEnded(connection)).length;
  return page(
    { title: "Your accounts", user },
    html`<h1>Hello, ${user.name.split(" ")[0] ?? user.name}.</h1>
${outage === undefined || accounts.length > 0 ? html`<p class="lead">${countOf(linked)}</p>` : ""}
${outageBanner(outage, accounts[0]?.seenAt)}
<section class="grid" aria-label="Providers">${PROVIDERS.map((provider) => providerCard(model, provider))}</section>
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
  return html`<article class="card provider">
<h2>${provider.name}</h2>
<p class="fine">${provider.text}</p>
${accounts.length === 0 ? "" : html`<ul>${accounts.map((account) => accountRow(account, available))}</ul>`}
${connectForm(provider.id, { label: accounts.length === 0 ? "Connect" : "Connect another", available })}
</article>`;
}

function accountRow(account: KnownAccount, available: boolean): Html {
  const { connection, profile, lastReadAt } = account;
  const { id, provider, status } = connection;
  const path = hasEnded(connection) ? `/receipts/${id}` : `/accounts/${id}`;
  const reconnect = () => html`<div class="row spread"><p class="fine">Last read ${moment(lastReadAt)}</p>
${connectForm(provider, { label: "Reconnect", available, connectionId: id })}</div>`;
  return html`<li><a class="row account" href="${path}">${avatar(account)}<span class="name"><strong>${nameOf(account)}</strong>
<small>${profile?.handle ?? "linked account"}</small></span>${statusBadge(status)}</a>
${status === "RECONNECT_REQUIRED" ? reconnect() : ""}</li>`;
}

function disconnectionList(disconnections: HomeModel["disconnections"]): Html {
  return html`<section class="apart">
<h2>Disconnected</h2>
<ul>${disconnections.map(
    ({ connectionId, accountName, provider, at }) => html`<li><a href="/receipts/${connectionId}">${accountName}</a>
<small>${providerName(provider)}, ${day(at)}</small></li>`,
  )}</ul>
</section>`;
}
