import type { Connection, ContentItem, ContentPage, IntegrationReadiness } from "@social-connect/sdk";
import { html } from "hono/html";

type Html = ReturnType<typeof html>;

/** A stub for an application's own sign-in. */
export const PEOPLE: readonly string[] = ["ada", "ben"];

export function page(title: string, body: Html | readonly Html[]): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
}

export function signInPage(): Html {
  const choices = PEOPLE.map((name) => html`<button name="user" value="${name}">Continue as ${name}</button>`);
  return page("Who are you?", html`<form method="post" action="/sign-in">${choices}</form>`);
}

export function homePage(
  userId: string,
  readiness: IntegrationReadiness | null,
  connections: readonly Connection[] | null,
): Html {
  const buttons = (readiness?.providers ?? []).map(
    ({ provider, available }) => html`
<form method="post" action="/connect">
<button name="provider" value="${provider}"${available ? "" : html` disabled`}>Connect ${provider}</button>
</form>`,
  );
  return page(`Accounts of ${userId}`, [
    connections === null
      ? html`<p role="status">Your accounts could not be loaded for now. They are still linked.</p>`
      : accountList(connections),
    readiness === null ? html`<p>Accounts cannot be linked for now.</p>` : html`${buttons}`,
    html`<form method="post" action="/sign-out"><button>Sign out</button></form>`,
  ]);
}

function accountList(connections: readonly Connection[]): Html {
  const rows = connections.map(
    ({ id, provider, status, profile, providerAccountId }) => html`
<li><a href="/posts/${id}">${profile?.displayName ?? providerAccountId}</a>, ${provider}, ${status}${
      status === "RECONNECT_REQUIRED" ? reconnectForm(id, provider) : ""
    }</li>`,
  );
  return html`<ul>${rows.length === 0 ? html`<li>Nothing is linked yet.</li>` : rows}</ul>`;
}

/** Naming the connection makes another account's consent an error, and the account keeps its id. */
function reconnectForm(id: string, provider: string): Html {
  return html`
<form method="post" action="/connect"><input type="hidden" name="connectionId" value="${id}">
<button name="provider" value="${provider}">Reconnect</button></form>`;
}

export function postsPage({ providerAccountId, profile }: Connection, { items, pageInfo }: ContentPage): Html {
  const rows = items.map((post) => html`<li>${title(post)}: ${numbers(post)}</li>`);
  const note = pageInfo.completeForWindow
    ? html``
    : html`<p>Not all of it has been read (${pageInfo.incompleteReason}).</p>`;
  return page(`Posts of ${profile?.displayName ?? providerAccountId}`, [
    note,
    html`<ul>${rows.length === 0 ? html`<li>No posts in these days.</li>` : rows}</ul>`,
    html`<p><a href="/">Back</a></p>`,
  ]);
}

export function messagePage(title: string, text: string, again?: string): Html {
  const link = again === undefined ? html`<a href="/">Back</a>` : html`<a href="${again}">Look again</a>`;
  return page(title, html`<p>${text}</p><p>${link}</p>`);
}

function title({ title, description, canonicalUrl, providerContentId }: ContentItem): Html {
  const text = title ?? description ?? providerContentId;
  return canonicalUrl === null ? html`${text}` : html`<a href="${canonicalUrl}" rel="noreferrer">${text}</a>`;
}

/** A number that a provider does not give is said to be missing, and never shown as 0. */
function numbers({ metrics }: ContentItem): string {
  return metrics.map(({ name, value }) => `${name.toLowerCase()} ${value ?? "not given"}`).join(", ") || "no numbers";
}
