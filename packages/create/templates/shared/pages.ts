import type { Connection, ContentItem, ContentPage } from "@social-connect/sdk";
import { reconnectSince } from "./events.ts";
import { accountName, isLinked, isReading, metricText, missingText, providerName, statusText } from "./texts.ts";

/** The service reads a new account in the background; until then the page reloads itself. */
const RELOAD = '<meta http-equiv="refresh" content="2">';

/**
 * For every page: no cache keeps it, no page of another site shows it in a frame, where a user could be tricked into a click, and
 * it loads only its own style. Its forms lead to this application only.
 */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export function homePage(accounts: readonly Connection[], providers: readonly string[]): string {
  const rows = accounts.filter(isLinked).map(accountRow);
  const buttons = providers.map(
    (provider) => `<button name="provider" value="${escaped(provider)}">Connect ${providerText(provider)}</button>`,
  );
  return page(
    "Your accounts",
    `<ul>${rows.join("") || "<li>No account is linked yet.</li>"}</ul>
<form method="post" action="/connect">${buttons.join(" ")}</form>`,
  );
}

function accountRow(account: Connection): string {
  const { id, provider, status } = account;
  const name = `${escaped(accountName(account))} (${providerText(provider)})`;
  const disconnect = `<a href="/accounts/${id}/disconnect">Disconnect</a>`;
  if (status === "CONNECTED") return `<li><a href="/accounts/${id}">${name}</a> – ${disconnect}</li>`;
  const text = `${name}: ${statusText(account, reconnectSince(id))}`;
  if (status !== "RECONNECT_REQUIRED") return `<li>${text} – ${disconnect}</li>`;
  return `<li>${text}
<form method="post" action="/connect"><input type="hidden" name="reconnectConnectionId" value="${id}">
<button name="provider" value="${escaped(provider)}">Reconnect</button></form> ${disconnect}</li>`;
}

export function postsPage(account: Connection, posts: ContentPage): string {
  const reads = isReading(account, posts);
  const rows = posts.items.map((post) => `<li>${titleOf(post)}: ${metricsOf(post)}</li>`);
  const missing = missingText(posts.pageInfo);
  return page(
    `Posts of ${escaped(accountName(account))}`,
    `${reads ? "<p>Reading posts…</p>" : `<ul>${rows.join("") || "<li>No posts in the last 7 days.</li>"}</ul>`}
${missing === null || reads ? "" : `<p>${missing}</p>`}
<form method="post" action="/accounts/${account.id}/refresh"><button>Refresh</button></form>
<p><a href="/">Back</a></p>`,
    reads ? RELOAD : "",
  );
}

export function disconnectPage(id: string): string {
  return page(
    "Disconnect this account?",
    `<p>This application can no longer read the account, and its posts are erased here.</p>
<form method="post" action="/accounts/${escaped(id)}/disconnect"><button>Disconnect</button></form> <a href="/">Cancel</a>`,
  );
}

export function messagePage(title: string, text: string, link = "/"): string {
  return page(title, `<p>${escaped(text)}</p><p><a href="${escaped(link)}">Continue</a></p>`);
}

/** `title` and `body` are HTML. */
function page(title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>:root { color-scheme: light dark } body { font: 1rem/1.6 system-ui; max-width: 44rem; margin: 2rem auto; padding: 0 1rem } form { display: inline }</style>
${head}
</head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>`;
}

function providerText(provider: string): string {
  return escaped(providerName(provider));
}

function titleOf({ title, description, canonicalUrl, providerContentId }: ContentItem): string {
  const text = escaped(title ?? description ?? providerContentId);
  return canonicalUrl === null ? text : `<a href="${escaped(canonicalUrl)}" rel="noreferrer">${text}</a>`;
}

function metricsOf({ metrics }: ContentItem): string {
  return metrics.map(metricText).join(", ") || "no metrics";
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
