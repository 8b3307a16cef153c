import type { Connection, IntegrationReadiness } from "@social-connect/sdk";
import { html } from "hono/html";
import type { SavedDisconnection } from "../core/store.ts";
import type { DemoUser } from "../core/users.ts";
import { avatar, connectForm, statusBadge } from "./components.ts";
import { day } from "./format.ts";
import type { Html } from "./layout.ts";
import { page } from "./layout.ts";
import type { ShownProvider } from "./providers.ts";
import { PROVIDERS, providerName } from "./providers.ts";

export interface HomeModel {
  readonly user: DemoUser;
  /** Null when the service could not say: every action is shown as unavailable then. */
  readonly readiness: IntegrationReadiness | null;
  readonly connections: readonly Connection[];
  readonly disconnections: readonly (SavedDisconnection & { readonly connectionId: string })[];
}

export function homePage({ user, readiness, connections, disconnections }: HomeModel): Html {
  const available = (provider: ShownProvider) =>
    readiness?.providers.some((entry) => entry.provider === provider.id && entry.available) ?? false;
  const linked = connections.filter(({ status }) => status !== "DISCONNECTED" && status !== "DELETING").length;
  return page(
    { title: "Your accounts", user },
    html`<section class="intro">
<h1>Hello, ${user.name.split(" ")[0] ?? user.name}.</h1>
<p class="lead">${linked === 0 ? "Link an account to see its posts here." : `${linked} ${linked === 1 ? "account" : "accounts"} linked.`}</p>
${readiness === null ? html`<p class="banner bad" role="status">The service does not answer right now, so nothing can be connected.</p>` : ""}
</section>
<section class="providers" aria-label="Providers">
${PROVIDERS.map((provider) =>
  providerCard(
    provider,
    available(provider),
    connections.filter((connection) => connection.provider === provider.id),
  ),
)}
</section>
${disconnections.length === 0 ? "" : disconnectionList(disconnections)}`,
  );
}

function providerCard(provider: ShownProvider, available: boolean, connections: readonly Connection[]): Html {
  return html`<article class="card provider tone-${provider.mark.toLowerCase()}">
<header class="provider-head">
<span class="provider-mark" aria-hidden="true">${provider.mark}</span>
<div><h2>${provider.name}</h2><p class="provider-about">${provider.text}</p></div>
</header>
${connections.length === 0 ? "" : html`<ul class="accounts">${connections.map(accountRow)}</ul>`}
<footer>
${connectForm(provider.id, { label: connections.length === 0 ? "Connect" : "Connect another", available })}
</footer>
</article>`;
}

function accountRow(connection: Connection): Html {
  const name = connection.profile?.displayName ?? connection.providerAccountId;
  const inside = html`${avatar(connection)}<span class="account-name"><strong>${name}</strong>
<small>${connection.profile?.handle ?? "linked account"}</small></span>${statusBadge(connection.status)}`;
  return connection.status === "DISCONNECTED" || connection.status === "DELETING"
    ? html`<li><a class="account" href="/receipts/${connection.id}">${inside}</a></li>`
    : html`<li><a class="account" href="/accounts/${connection.id}">${inside}</a></li>`;
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
