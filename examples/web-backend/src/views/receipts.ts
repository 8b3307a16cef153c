import type { SyncJob } from "@social-connect/sdk";
import { html } from "hono/html";
import { type KnownAccount, nameOf } from "../core/accounts.ts";
import { explainJob } from "../core/explain.ts";
import type { SavedDisconnection, User } from "../core/store.ts";
import { banner } from "./components.ts";
import { moment } from "./format.ts";
import { crumbs, type Html, linkButton, page } from "./layout.ts";
import { providerName } from "./providers.ts";

export function confirmPage(user: User, account: KnownAccount): Html {
  const { connection } = account;
  const name = nameOf(account);
  return page(
    { title: "Disconnect", user },
    html`${crumbs(connection.id)}
<section class="message">
<h1>Disconnect ${name}?</h1>
<ul>
<li>Access ends immediately.</li>
<li>Your consent at ${providerName(connection.provider)} is revoked if the provider supports it. Your other accounts there may pause until then.</li>
<li>All stored posts, numbers and the profile are erased. This cannot be undone.</li>
</ul>
<div class="row">
<form method="post" action="/accounts/${connection.id}/disconnect"><button class="button danger">Disconnect and erase</button></form>
${linkButton(`/accounts/${connection.id}`, "Keep it")}
</div>
</section>`,
  );
}

const REMOVE_APP =
  "The provider may still list this application. Open its settings, find the list of connected apps, and remove it there.";

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
    html`${crumbs()}
<section class="message">
<h1>${disconnection.accountName} is disconnected</h1>
<p>${providerName(disconnection.provider)}, ${moment(disconnection.at.toISOString())}. Access has ended.</p>
${mustRemove ? banner("bad", REMOVE_APP, "One step is yours.") : ""}
<ul>
${receipt(["Consent revoked", "Revoking the consent", "Consent not revoked"], revoke, "The provider has ended the consent.")}
${receipt(["Data erased", "Erasing the data", "Data not erased"], erase, "Posts, numbers and profile are deleted.")}
</ul>
<p class="fine">Receipts can be read for 7 days.</p>
${linkButton("/", "Back to your accounts", "primary")}
</section>`,
  );
}

/** What a receipt is about when its job is done, in progress or has failed. */
type Titles = readonly [done: string, inProgress: string, notDone: string];

function receipt([done, inProgress, notDone]: Titles, job: SyncJob | null, doneText: string): Html {
  const show = (title: string, mood: string, word: string, text: string) => html`<li class="card row spread">
<div><h2>${title}</h2><p class="fine">${text}</p>${job === null ? "" : html`<code class="fine">${job.id}</code>`}</div>
<span class="badge ${mood}">${word}</span></li>`;
  if (job === null) return show(inProgress, "calm", "Gone", "This receipt can no longer be read.");
  if (job.status === "SUCCEEDED") return show(done, "good", "Done", doneText);
  if (job.status === "FAILED" || job.status === "CANCELED") return show(notDone, "bad", "Not done", explainJob(job));
  const text = job.nextRetryAt === null ? "This takes a few seconds." : `Next try ${moment(job.nextRetryAt)}.`;
  return show(inProgress, "busy", "In progress", text);
}
