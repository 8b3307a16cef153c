import type { Connection, ContentPage } from "@social-connect/sdk";
import { html } from "hono/html";
import { explainJob } from "../core/explain.ts";
import type { DaysBack, Scan } from "../core/scans.ts";
import type { DemoUser } from "../core/users.ts";
import { avatar, completenessBanner, connectForm, postCard, statusBadge } from "./components.ts";
import { day, moment, webAddress } from "./format.ts";
import type { Html } from "./layout.ts";
import { linkButton, page } from "./layout.ts";
import { providerName } from "./providers.ts";

export interface AccountModel {
  readonly user: DemoUser;
  readonly connection: Connection;
  readonly window: DaysBack;
  /** Null when the connection cannot be read now. */
  readonly posts: ContentPage | null;
  readonly scan: Scan | undefined;
  readonly isFirstPage: boolean;
}

export const WINDOW_CHOICES = [7, 30, 90] as const;

export function accountPage(model: AccountModel): Html {
  const { user, connection, scan } = model;
  // An account without this capability is never scanned, so waiting for its first scan would have no end.
  const isListed = connection.capabilities.some(({ capability }) => capability === "CONTENT_LIST");
  const isPending = connection.syncStatus === "PENDING" || connection.syncStatus === "RUNNING";
  const busy = scan?.state === "running" || (isListed && isPending);
  const name = connection.profile?.displayName ?? connection.providerAccountId;
  const path = `/accounts/${connection.id}?days=${model.window.days}`;
  const reload = busy && model.isFirstPage ? { seconds: 3, path } : undefined;
  return page(
    { title: name, user, reload },
    html`<nav class="crumbs"><a href="/">Your accounts</a></nav>
${profileHeader(connection, name)}
${connection.status === "CONNECTED" ? gallery(model, busy) : notConnected(connection)}
<section class="danger">
<div><h2>Disconnect</h2><p>Ends access immediately, revokes your consent if the provider supports it, and erases the stored data.</p></div>
${linkButton(`/accounts/${connection.id}/disconnect`, "Disconnect…")}
</section>`,
  );
}

function profileHeader(connection: Connection, name: string): Html {
  const { profile } = connection;
  const profileUrl = webAddress(profile?.profileUrl ?? null);
  return html`<section class="profile">
${avatar(connection, "large")}
<div>
<p class="eyebrow">${providerName(connection.provider)} ${statusBadge(connection.status)}</p>
<h1>${name}</h1>
<p class="handle">${profile?.handle ?? ""} ${profileUrl === undefined ? "" : html`<a href="${profileUrl}" rel="noopener noreferrer">View profile</a>`}</p>
${profile?.description ? html`<p class="bio">${profile.description}</p>` : ""}
<p class="fine">Last read ${moment(connection.lastSuccessfulSyncAt)}${connection.nextRetryAt === null ? "" : `, next try ${moment(connection.nextRetryAt)}`}</p>
</div>
</section>`;
}

function notConnected(connection: Connection): Html {
  const text =
    connection.status === "RECONNECT_REQUIRED"
      ? "The provider no longer accepts the consent you gave. Connect the account again to see its posts."
      : "Access is paused while another disconnect at this provider settles. It is restored automatically.";
  return html`<section class="message calm"><h2>No posts for now</h2><p>${text}</p>
<div class="actions">${connectForm(connection.provider, { label: "Connect again", available: true, connectionId: connection.id })}</div></section>`;
}

function gallery(model: AccountModel, busy: boolean): Html {
  const { connection, window, posts } = model;
  const query = `from=${encodeURIComponent(window.from)}&to=${encodeURIComponent(window.to)}&days=${window.days}`;
  return html`<section class="tools">
<nav class="tabs" aria-label="Time span">${WINDOW_CHOICES.map(
    (days) =>
      html`<a href="/accounts/${connection.id}?days=${days}" ${days === window.days ? html`aria-current="true"` : ""}>${days} days</a>`,
  )}</nav>
<form method="post" action="/accounts/${connection.id}/refresh">
<input type="hidden" name="days" value="${window.days}">
<button class="button" type="submit" ${busy ? html`disabled` : ""}>${busy ? "Reading…" : "Refresh"}</button>
</form>
<form class="lookup" method="post" action="/accounts/${connection.id}/lookup">
<label for="url">Find a post by its address</label>
<div><input id="url" name="url" type="url" required maxlength="2048" placeholder="https://"><button class="button" type="submit">Find</button></div>
</form>
</section>
${scanBanner(model.scan)}
${posts === null ? html`<p class="banner bad" role="status">The posts could not be read just now.</p>` : postList(model, posts, query)}`;
}

function postList({ connection, window, isFirstPage, scan }: AccountModel, posts: ContentPage, query: string): Html {
  const { items, pageInfo } = posts;
  const older = `/accounts/${connection.id}?${query}&after=${encodeURIComponent(pageInfo.endCursor ?? "")}`;
  return html`${scan?.state === "running" ? "" : completenessBanner(posts)}
${
  items.length === 0
    ? html`<div class="empty"><h2>Nothing here</h2><p>No posts from ${day(window.from)} to ${day(window.to)}. Try a longer time span, or refresh.</p></div>`
    : html`<ul class="gallery">${items.map((post) =>
        postCard(post, `/accounts/${connection.id}/posts/${encodeURIComponent(post.providerContentId)}`),
      )}</ul>`
}
<nav class="paging" aria-label="Pages">
${isFirstPage ? "" : linkButton(`/accounts/${connection.id}?days=${window.days}`, "Newest")}
${pageInfo.hasNextPage ? linkButton(older, "Older posts") : ""}
</nav>`;
}

function scanBanner(scan: Scan | undefined): Html {
  if (scan === undefined) return html``;
  if (scan.state === "running") {
    return html`<p class="banner busy" role="status"><strong>Reading from the provider…</strong> ${
      scan.job?.nextRetryAt ? `Waiting until ${moment(scan.job.nextRetryAt)}.` : "New posts appear here automatically."
    }</p>`;
  }
  if (scan.state === "broken")
    return html`<p class="banner bad" role="status">The reading could not be followed to its end (${scan.code}).</p>`;
  // How complete the gallery is, the banner above the posts says; here is only what went wrong.
  const { last } = scan.summary;
  return last.status === "SUCCEEDED" ? html`` : html`<p class="banner bad" role="status">${explainJob(last)}</p>`;
}
