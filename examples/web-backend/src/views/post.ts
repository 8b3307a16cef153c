import type { Connection, ContentItem } from "@social-connect/sdk";
import { html } from "hono/html";
import type { User } from "../core/users.ts";
import { thumbnail } from "./components.ts";
import { availabilityNote, headline, moment, shownMetric, webAddress } from "./format.ts";
import { type Html, page } from "./layout.ts";

export interface PostModel {
  readonly user: User;
  readonly connectionId: Connection["id"];
  readonly post: ContentItem;
}

export function postPage({ user, connectionId, post }: PostModel): Html {
  const address = webAddress(post.canonicalUrl);
  const note = availabilityNote(post);
  const title = headline(post);
  // A post without a title uses its caption as title, which is then not repeated.
  const caption = post.description?.trim() === title ? null : post.description;
  return page(
    { title, user },
    html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Your accounts</a> <a href="/accounts/${connectionId}">Account</a></nav>
<article class="post-detail">
${thumbnail(post)}
<div>
<p class="eyebrow">${moment(post.publishedAt)}</p>
<h1>${title}</h1>
${note === undefined ? "" : html`<p class="banner calm" role="status">${note}.</p>`}
${caption ? html`<p class="caption">${caption}</p>` : ""}
${address === undefined ? "" : html`<p><a href="${address}" rel="noopener noreferrer">Open at the provider</a></p>`}
${metricsTable(post)}
<form method="post" action="/accounts/${connectionId}/posts/${encodeURIComponent(post.providerContentId)}/refresh">
<button class="button" type="submit">Read the numbers again</button>
</form>
<p class="fine">Last read ${moment(post.observedAt)}</p>
</div>
</article>`,
  );
}

function metricsTable(post: ContentItem): Html {
  if (post.metrics.length === 0) return html`<p class="fine">There are no numbers for this post.</p>`;
  return html`<table class="numbers">
<caption>Numbers, as the provider gives them</caption>
<thead><tr><th scope="col">Number</th><th scope="col">Value</th><th scope="col">Field</th></tr></thead>
<tbody>${post.metrics.map((metric) => {
    const { label, full, known } = shownMetric(metric);
    return html`<tr><th scope="row">${label}</th><td class="${known ? "known" : "missing"}">${full}</td><td><code>${metric.sourceField ?? "–"}</code></td></tr>`;
  })}</tbody>
</table>`;
}
