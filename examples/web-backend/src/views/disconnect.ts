import type { SyncJob } from "@social-connect/sdk";
import { html } from "hono/html";
import { type KnownAccount, nameOf } from "../core/accounts.ts";
import { explainJob } from "../core/explain.ts";
import type { SavedDisconnection } from "../core/store.ts";
import type { User } from "../core/users.ts";
import { moment } from "./format.ts";
import { type Html, linkButton, page } from "./layout.ts";
import { providerName } from "./providers.ts";

export function confirmPage(user: User, account: KnownAccount): Html {
  const { connection } = account;
  const name = nameOf(account);
  return page(
    { title: "Disconnect", user },
    html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Your accounts</a> <a href="/accounts/${connection.id}">${name}</a></nav>
<section class="message calm">
<h1>Disconnect ${name}?</h1>
<ul class="consequences">
<li>Access ends immediately.</li>
<li>Your consent at ${providerName(connection.provider)} is revoked if the provider supports it. Your other accounts there may pause until then.</li>
<li>All stored posts, numbers and the profile are erased. This cannot be undone.</li>
</ul>
<div class="actions">
<form method="post" action="/accounts/${connection.id}/disconnect"><button class="button danger-button" type="submit">Disconnect and erase</button></form>
${linkButton(`/accounts/${connection.id}`, "Keep it")}
</div>
</section>`,
  );
}

export interface ReceiptsModel {
  readonly user: User;
  readonly connectionId: string;
  readonly disconnection: SavedDisconnection;
  /** Null if the receipt has expired: receipts are readable for 7 days. */
  readonly revoke: SyncJob | null;
  readonly erase: SyncJob | null;
}

export function receiptsPage({ user, connectionId, disconnection, revoke, erase }: ReceiptsModel): Html {
  const mustRemove = (revoke?.creatorAction ?? disconnection.saved.result.creatorAction) === "REMOVE_APP_AT_PROVIDER";
  const unfinished = [revoke, erase].some((job) => job?.status === "QUEUED" || job?.status === "RUNNING");
  return page(
    { title: "Receipts", user, reload: unfinished ? { seconds: 3, path: `/receipts/${connectionId}` } : undefined },
    html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Your accounts</a></nav>
<section class="receipts">
<h1>${disconnection.accountName} is disconnected</h1>
<p class="lead">${providerName(disconnection.provider)}, ${moment(disconnection.at.toISOString())}. Access has ended.</p>
${
  mustRemove
    ? html`<div class="banner bad" role="status"><strong>One step is yours.</strong> The consent may still exist at ${providerName(disconnection.provider)}. Open its settings, find the list of connected apps, and remove this application there.</div>`
    : ""
}
<ol class="receipt-list">
${receipt(["Consent revoked", "Revoking the consent", "Consent not revoked"], revoke, "The provider has ended the consent.")}
${receipt(["Data erased", "Erasing the data", "Data not erased"], erase, "Posts, numbers and profile are deleted.")}
</ol>
<p class="fine">Receipts can be read for 7 days.</p>
${linkButton("/", "Back to your accounts", "primary")}
</section>`,
  );
}

/** What a receipt is about when its job is done, in progress or has failed. */
type Titles = readonly [done: string, inProgress: string, notDone: string];

function receipt(titles: Titles, job: SyncJob | null, doneText: string): Html {
  const [title, mood, word, text] = receiptWords(titles, job, doneText);
  return html`<li class="card receipt"><div><h2>${title}</h2><p class="receipt-text">${text}</p></div><span class="badge ${mood}">${word}</span>
${job === null ? "" : html`<code class="fine">${job.id}</code>`}</li>`;
}

function receiptWords(
  [done, inProgress, notDone]: Titles,
  job: SyncJob | null,
  doneText: string,
): readonly [title: string, mood: string, word: string, text: string] {
  if (job === null) return [inProgress, "calm", "Gone", "This receipt can no longer be read."];
  switch (job.status) {
    case "SUCCEEDED":
      return [done, "good", "Done", doneText];
    case "FAILED":
    case "CANCELED":
      return [notDone, "bad", "Not done", explainJob(job)];
    default:
      return [
        inProgress,
        "busy",
        "In progress",
        job.nextRetryAt === null ? "This takes a few seconds." : `Next try ${moment(job.nextRetryAt)}.`,
      ];
  }
}
