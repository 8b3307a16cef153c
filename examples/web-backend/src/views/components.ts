import type { ContentItem, ContentPage } from "@social-connect/sdk";
import { html } from "hono/html";
import { type KnownAccount, nameOf } from "../core/accounts.ts";
import { explainIncomplete } from "../core/explain.ts";
import { explainOutage, type Outage } from "../core/outage.ts";
import { availabilityNote, day, headline, initials, kindLabel, moment, shownMetric, webAddress } from "./format.ts";
import type { Html } from "./layout.ts";
import { providerName } from "./providers.ts";

/** Two ways to connect: in this page, or in a popup (`public/popup.js`), which needs scripts. */
export function connectForm(
  provider: string,
  options: { readonly label: string; readonly available: boolean; readonly connectionId?: string },
): Html {
  const { label, available, connectionId } = options;
  return html`<form class="connect" method="post" action="/connect">
<input type="hidden" name="provider" value="${provider}">
${connectionId === undefined ? "" : html`<input type="hidden" name="connectionId" value="${connectionId}">`}
<button class="button primary" type="submit" ${available ? "" : html`disabled`}>${available ? label : "Not available now"}</button>
${available ? html`<button class="link needs-script" type="submit" data-popup>Use a popup<span class="visually-hidden"> for ${providerName(provider)}</span></button>` : ""}
</form>`;
}

/** What a page with a connect form shows while the popup is open, and when the page no longer sees it. */
export function popupNotice(): Html {
  return html`<section class="banner busy popup-notice" data-popup-notice hidden aria-label="Connecting">
<p role="status" data-popup-status></p>
<div class="actions">
<button class="button" type="button" data-popup-show>Show the window</button>
<button class="button" type="button" data-popup-here>Continue in this page</button>
</div>
</section>`;
}

/** The service's data is missing: states why, and the time of the data that is shown. */
export function outageBanner(outage: Outage | undefined, knownSince: Date | undefined): Html {
  if (outage === undefined) return html``;
  const kept =
    knownSince === undefined
      ? "Your accounts could not be loaded. They are still linked."
      : `You see what was known at ${moment(knownSince.toISOString())}. Your accounts are still linked.`;
  return html`<p class="banner bad" role="status"><strong>${explainOutage(outage)}</strong> ${kept}</p>`;
}

const STATUS_WORDS: Readonly<Record<string, readonly [string, string]>> = {
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

export function avatar(account: KnownAccount, size: "small" | "large" = "small"): Html {
  const address = webAddress(account.profile?.avatarUrl ?? null);
  if (address !== undefined) {
    return html`<img class="avatar ${size}" src="${address}" alt="" width="88" height="88" loading="lazy" referrerpolicy="no-referrer">`;
  }
  return html`<span class="avatar ${size} initials" aria-hidden="true">${initials(nameOf(account))}</span>`;
}

/** The post's thumbnail; a provider may return none, or an expired one. */
export function thumbnail(post: ContentItem): Html {
  const address = webAddress(post.thumbnailUrl);
  return html`<div class="thumb">
${address === undefined ? "" : html`<img src="${address}" alt="" loading="lazy" referrerpolicy="no-referrer">`}
<span class="kind">${kindLabel(post.kind)}</span>
</div>`;
}

export function postCard(post: ContentItem, href: string): Html {
  const note = availabilityNote(post);
  return html`<li class="card post">
<a href="${href}" class="post-link">
${thumbnail(post)}
<div class="post-text">
<h3>${headline(post)}</h3>
<p class="post-date"><time datetime="${post.publishedAt ?? ""}">${day(post.publishedAt)}</time>${note === undefined ? "" : html` · <em>${note}</em>`}</p>
</div>
</a>
${metricsRow(post)}
</li>`;
}

function metricsRow(post: ContentItem): Html {
  if (post.metrics.length === 0) return html`<p class="metrics none">No numbers for this post</p>`;
  return html`<dl class="metrics">${post.metrics
    .map(shownMetric)
    .map(
      ({ label, short, full, known }) =>
        html`<div class="${known ? "known" : "missing"}"><dt>${label}</dt><dd title="${full}">${short}</dd></div>`,
    )}</dl>`;
}

export function completenessBanner(page: ContentPage): Html {
  const { completeForWindow, incompleteReason } = page.pageInfo;
  return completeForWindow
    ? html`<p class="banner good" role="status"><strong>Complete.</strong> Every post of this time span is here.</p>`
    : html`<p class="banner calm" role="status"><strong>Maybe not complete.</strong> ${explainIncomplete(incompleteReason)}</p>`;
}

/** The shape of a gallery whose posts are being read for the first time. */
export function gallerySkeleton(): Html {
  const card = html`<div class="card post skeleton"><div class="thumb"></div></div>`;
  return html`<p class="banner busy" role="status"><strong>Reading your posts for the first time…</strong> They appear here when they are read.</p>
<div class="gallery" aria-hidden="true">${Array.from({ length: 6 }, () => card)}</div>`;
}
