import type { ContentItem } from "@social-connect/sdk";
import { html } from "hono/html";
import { type KnownAccount, nameOf } from "../core/accounts.ts";
import { explainOutage } from "../core/explain.ts";
import type { LoadedAccounts } from "../core/load.ts";
import { moment, webAddress } from "./format.ts";
import type { Html } from "./layout.ts";

export function connectForm(
  provider: string,
  options: { readonly label: string; readonly available: boolean; readonly connectionId?: string },
): Html {
  const { label, available, connectionId } = options;
  return html`<form method="post" action="/connect">
<input type="hidden" name="provider" value="${provider}">
${connectionId === undefined ? "" : html`<input type="hidden" name="connectionId" value="${connectionId}">`}
<button class="button primary" ${available ? "" : html`disabled`}>${available ? label : "Not available now"}</button>
</form>`;
}

export function banner(mood: "good" | "bad" | "busy" | "calm", text: string, strong = ""): Html {
  return html`<p class="banner ${mood}" role="status">${strong === "" ? "" : html`<strong>${strong}</strong> `}${text}</p>`;
}

/** The service's data is missing: states why, and the time of the data that is shown. */
export function outageBanner(outage: LoadedAccounts["outage"], knownSince: Date | undefined): Html {
  if (outage === undefined) return html``;
  const kept =
    knownSince === undefined
      ? "Your accounts could not be loaded. They are still linked."
      : `You see what was known at ${moment(knownSince.toISOString())}. Your accounts are still linked.`;
  return banner("bad", kept, explainOutage(outage));
}

const STATUS_WORDS: Readonly<Record<string, readonly [mood: string, word: string]>> = {
  CONNECTED: ["good", "Connected"],
  SUSPENDED: ["calm", "Paused"],
  RECONNECT_REQUIRED: ["bad", "Connect again"],
  DISCONNECTED: ["calm", "Disconnected"],
  DELETING: ["calm", "Being erased"],
};

export function statusBadge(status: string): Html {
  const [mood, word] = STATUS_WORDS[status] ?? ["calm", status];
  return html`<span class="badge ${mood}">${word}</span>`;
}

export function avatar(account: KnownAccount): Html {
  const address = webAddress(account.profile?.avatarUrl);
  return address === undefined
    ? html`<span class="avatar" aria-hidden="true">${nameOf(account).slice(0, 1)}</span>`
    : html`<img class="avatar" src="${address}" alt="" loading="lazy" referrerpolicy="no-referrer">`;
}

/** Nothing for a post without one: PROVIDER_A has none, and PROVIDER_C has none for some images. */
export function thumbnail(post: ContentItem): Html {
  const address = webAddress(post.thumbnailUrl);
  if (address === undefined) return html``;
  return html`<div class="thumb"><img src="${address}" alt="" loading="lazy" referrerpolicy="no-referrer"></div>`;
}
