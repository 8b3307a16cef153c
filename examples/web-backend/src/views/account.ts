import type { ContentItem, ContentPage, PublishedWindow } from "@social-connect/sdk";
import { html } from "hono/html";
import { type KnownAccount, nameOf } from "../core/accounts.ts";
import { explainIncomplete } from "../core/explain.ts";
import type { LoadedAccount } from "../core/load.ts";
import type { User } from "../core/store.ts";
import { avatar, banner, connectForm, outageBanner, statusBadge, thumbnail } from "./components.ts";
import { availabilityNote, day, headline, moment, shownMetric, webAddress } from "./format.ts";
import { crumbs, type Html, linkButton, page } from "./layout.ts";
import { providerName } from "./providers.ts";

/** The scan that the user started. */
export interface Scan {
  readonly isRunning: boolean;
  /** Why it ended without success. */
  readonly problem: string | undefined;
}

export interface AccountModel extends LoadedAccount {
  readonly user: User;
  readonly days: number;
  readonly window: PublishedWindow;
  /** Null when the posts cannot be read now. */
  readonly posts: ContentPage | null;
  readonly scan: Scan | undefined;
  readonly isBusy: boolean;
  readonly isFirstPage: boolean;
}

/** The first is the default: the service reads these days by itself, so the first view of an account is complete. */
export const WINDOW_CHOICES = [7, 30, 90] as const;

export function accountPage(model: AccountModel): Html {
  const { user, account, outage, isBusy, days } = model;
  const { id, status } = account.connection;
  // Older pages stay unchanged while a user reads them.
  const reload = isBusy && model.isFirstPage ? { seconds: 3, path: `/accounts/${id}?days=${days}` } : undefined;
  const isReadable = status === "CONNECTED" && outage === undefined;
  return page(
    { title: nameOf(account), user, reload },
    html`${crumbs()}
${profileHeader(account)}${outageBanner(outage, account.seenAt)}
${isReadable ? html`${tools(model)}${gallery(model)}` : notReadable(model)}
<section class="row spread apart">
<p class="fine">Disconnecting ends access immediately, revokes your consent if the provider supports it, and erases the stored data.</p>
${linkButton(`/accounts/${id}/disconnect`, "Disconnect…")}
</section>`,
  );
}

function profileHeader(account: KnownAccount): Html {
  const { connection, profile, lastReadAt } = account;
  const profileUrl = webAddress(profile?.profileUrl);
  return html`<section class="row profile" aria-label="Account">
${avatar(account)}
<div>
<p class="fine">${providerName(connection.provider)} ${statusBadge(connection.status)}</p>
<h1>${nameOf(account)}</h1>
<p>${profile?.handle ?? ""} ${profileUrl === undefined ? "" : html`<a href="${profileUrl}" rel="noopener noreferrer">View profile</a>`}</p>
${profile?.description ? html`<p class="text">${profile.description}</p>` : ""}
<p class="fine">Last read ${moment(lastReadAt)}${connection.nextRetryAt === null ? "" : `, next try ${moment(connection.nextRetryAt)}`}</p>
</div>
</section>`;
}

function notReadable({ account, outage }: AccountModel): Html {
  const { id, provider, status } = account.connection;
  if (status === "RECONNECT_REQUIRED") {
    const text = "The provider no longer accepts the consent you gave. Connect the account again to see its posts.";
    return html`<section class="message bad"><h2>This account needs you</h2><p>${text}</p>
${connectForm(provider, { label: "Reconnect", available: outage === undefined, connectionId: id })}</section>`;
  }
  const text =
    status === "SUSPENDED"
      ? "Access is paused while another disconnect at this provider settles. It is restored automatically."
      : "The posts are shown again as soon as the service answers.";
  return html`<section class="message"><h2>No posts for now</h2><p>${text}</p></section>`;
}

function tools({ account, days, isBusy }: AccountModel): Html {
  const { id } = account.connection;
  const tab = (choice: number) =>
    html`<a href="/accounts/${id}?days=${choice}" ${choice === days ? html`aria-current="true"` : ""}>${choice} days</a>`;
  return html`<section class="row spread apart" aria-label="Posts to show">
<nav class="row" aria-label="Time span">${WINDOW_CHOICES.map(tab)}</nav>
<form method="post" action="/accounts/${id}/refresh">
<input type="hidden" name="days" value="${days}">
<button class="button" ${isBusy ? html`disabled` : ""}>${isBusy ? "Reading…" : "Refresh"}</button>
</form>
</section>`;
}

function gallery(model: AccountModel): Html {
  const { account, posts, isBusy, scan } = model;
  const problem = scan?.problem === undefined ? "" : banner("bad", scan.problem);
  if (posts === null) return html`${problem}${banner("bad", "The posts could not be read just now.")}`;
  if (isBusy && account.lastReadAt === null && posts.items.length === 0)
    return banner("busy", "They appear here when they are read.", "Reading your posts for the first time…");
  return html`${problem}${scan?.isRunning ? banner("busy", "New posts appear here.", "Reading…") : completeness(posts)}${postList(model, posts)}`;
}

function completeness({ pageInfo: { completeForWindow, incompleteReason } }: ContentPage): Html {
  return completeForWindow
    ? banner("good", "Every post of this time span is here.", "Complete.")
    : banner("calm", explainIncomplete(incompleteReason), "Maybe not complete.");
}

function postList({ account, days, window, isFirstPage }: AccountModel, { items, pageInfo }: ContentPage): Html {
  const path = `/accounts/${account.connection.id}`;
  const { publishedAfter: from, publishedBefore: to } = window;
  const older = new URLSearchParams({ from: `${from}`, to: `${to}`, days: `${days}`, after: pageInfo.endCursor ?? "" });
  return html`${
    items.length === 0
      ? html`<p class="message">Nothing here: no posts from ${day(from)} to ${day(to)}. Try a longer time span, or refresh.</p>`
      : html`<ul class="grid">${items.map((post) => postCard(post, path))}</ul>`
  }
<nav class="row" aria-label="Pages">
${isFirstPage ? "" : linkButton(`${path}?days=${days}`, "Newest")}
${pageInfo.hasNextPage ? linkButton(`${path}?${older}`, "Older posts") : ""}
</nav>`;
}

function postCard(post: ContentItem, path: string): Html {
  const note = availabilityNote(post);
  return html`<li class="card post">
<a href="${path}/posts/${encodeURIComponent(post.providerContentId)}" class="post-link">
${thumbnail(post)}
<h2>${headline(post)}</h2>
<p class="fine">${day(post.publishedAt)}${note === undefined ? "" : html` · <em>${note}</em>`}</p>
</a>
<dl class="metrics">${post.metrics
    .map(shownMetric)
    .map(
      ({ label, short, full, mood }) =>
        html`<div class="${mood}"><dt>${label}</dt><dd title="${full}">${short}</dd></div>`,
    )}</dl>
</li>`;
}
