import type { ContentPage } from "@social-connect/sdk";
import { html } from "hono/html";
import { type KnownAccount, nameOf } from "../core/accounts.ts";
import { explainJob } from "../core/explain.ts";
import type { Outage } from "../core/outage.ts";
import type { DaysBack, Scan } from "../core/scans.ts";
import type { User } from "../core/users.ts";
import {
  avatar,
  completenessBanner,
  connectForm,
  gallerySkeleton,
  outageBanner,
  popupNotice,
  postCard,
  statusBadge,
} from "./components.ts";
import { day, moment, webAddress } from "./format.ts";
import { type Html, linkButton, page } from "./layout.ts";
import { providerName } from "./providers.ts";

export interface AccountModel {
  readonly user: User;
  readonly account: KnownAccount;
  /** Why the account is that of an earlier response. */
  readonly outage: Outage | undefined;
  readonly window: DaysBack;
  /** Null when the posts cannot be read now. */
  readonly posts: ContentPage | null;
  readonly scan: Scan | undefined;
  readonly isBusy: boolean;
  readonly isFirstPage: boolean;
}

export const WINDOW_CHOICES = [7, 30, 90] as const;

export function accountPage(model: AccountModel): Html {
  const { user, account, outage, isBusy } = model;
  const { id, status } = account.connection;
  const path = `/accounts/${id}?days=${model.window.days}`;
  // Older pages stay unchanged while a user reads them.
  const reload = isBusy && model.isFirstPage ? { seconds: 3, path } : undefined;
  const isReadable = status === "CONNECTED" && outage === undefined;
  return page(
    { title: nameOf(account), user, reload },
    html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Your accounts</a></nav>
${popupNotice()}
${profileHeader(account)}${outageBanner(outage, account.seenAt)}
${isReadable ? html`${tools(model)}${gallery(model)}` : notReadable(model)}
<section class="danger">
<div><h2>Disconnect</h2><p>Ends access immediately, revokes your consent if the provider supports it, and erases the stored data.</p></div>
${linkButton(`/accounts/${id}/disconnect`, "Disconnect…")}
</section>`,
  );
}

function profileHeader(account: KnownAccount): Html {
  const { connection, profile } = account;
  const profileUrl = webAddress(profile?.profileUrl ?? null);
  return html`<section class="profile" aria-label="Account">
${avatar(account, "large")}
<div>
<p class="eyebrow">${providerName(connection.provider)} ${statusBadge(connection.status)}</p>
<h1>${nameOf(account)}</h1>
<p class="handle">${profile?.handle ?? ""} ${profileUrl === undefined ? "" : html`<a href="${profileUrl}" rel="noopener noreferrer">View profile</a>`}</p>
${profile?.description ? html`<p class="bio">${profile.description}</p>` : ""}
<p class="fine">Last read ${moment(account.lastReadAt)}${connection.nextRetryAt === null ? "" : `, next try ${moment(connection.nextRetryAt)}`}</p>
</div>
</section>`;
}

function notReadable({ account, outage }: AccountModel): Html {
  const { id, provider, status } = account.connection;
  if (status === "RECONNECT_REQUIRED") {
    const text = "The provider no longer accepts the consent you gave. Connect the account again to see its posts.";
    return html`<section class="message bad"><h2>This account needs you</h2><p>${text}</p>
<div class="actions">${connectForm(provider, { label: "Reconnect", available: outage === undefined, connectionId: id })}</div></section>`;
  }
  const text =
    status === "SUSPENDED"
      ? "Access is paused while another disconnect at this provider settles. It is restored automatically."
      : "The posts are shown again as soon as the service answers.";
  return html`<section class="message calm"><h2>No posts for now</h2><p>${text}</p></section>`;
}

function tools({ account, window, isBusy }: AccountModel): Html {
  const { id } = account.connection;
  return html`<section class="tools" aria-label="Posts to show">
<nav class="tabs" aria-label="Time span">${WINDOW_CHOICES.map(
    (days) =>
      html`<a href="/accounts/${id}?days=${days}" ${days === window.days ? html`aria-current="true"` : ""}>${days} days</a>`,
  )}</nav>
<form method="post" action="/accounts/${id}/refresh">
<input type="hidden" name="days" value="${window.days}">
<button class="button" type="submit" ${isBusy ? html`disabled` : ""}>${isBusy ? "Reading…" : "Refresh"}</button>
</form>
${linkButton(`/accounts/${id}/lookup`, "Find a post by its address")}
</section>`;
}

function gallery(model: AccountModel): Html {
  const { account, posts, isBusy } = model;
  if (posts === null) {
    return html`${scanBanner(model.scan)}<p class="banner bad" role="status">The posts could not be read just now.</p>`;
  }
  const isFirstScan = isBusy && account.lastReadAt === null && posts.items.length === 0;
  return isFirstScan ? gallerySkeleton() : html`${scanBanner(model.scan)}${postList(model, posts)}`;
}

function postList({ account, window, isFirstPage, scan }: AccountModel, posts: ContentPage): Html {
  const { id } = account.connection;
  const { items, pageInfo } = posts;
  const query = `from=${encodeURIComponent(window.from)}&to=${encodeURIComponent(window.to)}&days=${window.days}`;
  const older = `/accounts/${id}?${query}&after=${encodeURIComponent(pageInfo.endCursor ?? "")}`;
  return html`${scan?.state === "running" ? "" : completenessBanner(posts)}
${
  items.length === 0
    ? html`<div class="empty"><h2>Nothing here</h2><p>No posts from ${day(window.from)} to ${day(window.to)}. Try a longer time span, or refresh.</p></div>`
    : html`<h2 class="visually-hidden">Posts</h2><ul class="gallery">${items.map((post) =>
        postCard(post, `/accounts/${id}/posts/${encodeURIComponent(post.providerContentId)}`),
      )}</ul>`
}
<nav class="paging" aria-label="Pages">
${isFirstPage ? "" : linkButton(`/accounts/${id}?days=${window.days}`, "Newest")}
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
