import type { Connection, ContentItem, ContentPage } from "@social-connect/sdk";
import { html } from "hono/html";
import { explainIncomplete } from "../core/explain.ts";
import { availabilityNote, day, headline, initials, kindLabel, shownMetric, webAddress } from "./format.ts";
import type { Html } from "./layout.ts";

export function connectForm(
  provider: string,
  options: { readonly label: string; readonly available: boolean; readonly connectionId?: string },
): Html {
  const { label, available, connectionId } = options;
  return html`<form method="post" action="/connect">
<input type="hidden" name="provider" value="${provider}">
${connectionId === undefined ? "" : html`<input type="hidden" name="connectionId" value="${connectionId}">`}
<button class="button primary" type="submit" ${available ? "" : html`disabled`}>${available ? label : "Not available now"}</button>
</form>`;
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

export function avatar(connection: Connection, size: "small" | "large" = "small"): Html {
  const address = webAddress(connection.profile?.avatarUrl ?? null);
  if (address !== undefined) {
    return html`<img class="avatar ${size}" src="${address}" alt="" width="88" height="88" loading="lazy" referrerpolicy="no-referrer">`;
  }
  const name = connection.profile?.displayName ?? connection.providerAccountId;
  return html`<span class="avatar ${size} initials" aria-hidden="true">${initials(name)}</span>`;
}

const SHAPES: Readonly<Record<string, string>> = {
  VIDEO: "M9 6.5v11l9-5.5z",
  IMAGE: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01",
  CAROUSEL: "M7 4h13v13H7zM4 8v12h12",
  UNKNOWN: "M6 4h9l4 4v12H6zM9 12h6M9 16h6",
};

/** The post's thumbnail, or a drawn placeholder: a provider may return none, or an expired one. */
export function thumbnail(post: ContentItem): Html {
  const shape = SHAPES[post.kind] ?? SHAPES.UNKNOWN;
  const address = webAddress(post.thumbnailUrl);
  // Three tones, selected by the post's id, so that a gallery without thumbnails has some variety.
  const tone = [...post.providerContentId].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % 3;
  return html`<div class="thumb shade-${tone}">
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${shape}"/></svg>
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
