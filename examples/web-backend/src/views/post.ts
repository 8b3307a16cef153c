import type { ContentItem } from "@social-connect/sdk";
import { html } from "hono/html";
import type { User } from "../core/store.ts";
import { banner, thumbnail } from "./components.ts";
import { availabilityNote, headline, moment, shownMetric, webAddress } from "./format.ts";
import { crumbs, type Html, page } from "./layout.ts";

export interface PostModel {
  readonly user: User;
  readonly connectionId: string;
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
    html`${crumbs(connectionId)}
<article class="grid">
${thumbnail(post)}
<div>
<p class="fine">${moment(post.publishedAt)}</p>
<h1>${title}</h1>
${note === undefined ? "" : banner("calm", `${note}.`)}
${caption ? html`<p class="text">${caption}</p>` : ""}
${address === undefined ? "" : html`<p><a href="${address}" rel="noopener noreferrer">Open at the provider</a></p>`}
${metricsTable(post)}
<form method="post" action="/accounts/${connectionId}/posts/${encodeURIComponent(post.providerContentId)}/refresh">
<button class="button">Read the numbers again</button>
</form>
<p class="fine">Last read ${moment(post.observedAt)}</p>
</div>
</article>`,
  );
}

function metricsTable({ metrics }: ContentItem): Html {
  if (metrics.length === 0) return html`<p class="fine">There are no numbers for this post.</p>`;
  return html`<table>
<caption>Numbers, as the provider gives them</caption>
<thead><tr><th scope="col">Number</th><th scope="col">Value</th><th scope="col">Field</th></tr></thead>
<tbody>${metrics.map((metric) => {
    const { label, full, mood } = shownMetric(metric);
    return html`<tr><th scope="row">${label}</th><td class="${mood}">${full}</td><td><code>${metric.sourceField ?? "–"}</code></td></tr>`;
  })}</tbody>
</table>`;
}
