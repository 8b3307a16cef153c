import type { Connection, ContentItem, ContentPage } from "@social-connect/sdk";

/** The service reads a new account and erases a disconnected one in the background; until then the page reloads itself. */
const RELOAD = '<meta http-equiv="refresh" content="2">';

export function homePage(accounts: readonly Connection[], providers: readonly string[]): string {
  const rows = accounts.filter(({ status }) => status !== "DISCONNECTED").map(accountRow);
  const buttons = providers.map(
    (provider) => `<button name="provider" value="${provider}">Connect ${labelOf(provider)}</button>`,
  );
  return page(
    "Your accounts",
    `<ul>${rows.join("") || "<li>No account is linked yet.</li>"}</ul>
<form method="post" action="/connect">${buttons.join(" ")}</form>`,
    accounts.some(({ status }) => status === "DELETING") ? RELOAD : "",
  );
}

function accountRow(account: Connection): string {
  const { id, provider, status } = account;
  if (status === "DELETING") return `<li>${nameOf(account)} (${labelOf(provider)}): disconnecting…</li>`;
  return `<li><a href="/accounts/${id}">${nameOf(account)}</a> (${labelOf(provider)}, ${escaped(status)})
<form method="post" action="/accounts/${id}/disconnect"><button>Disconnect</button></form></li>`;
}

export function postsPage(account: Connection, { items, pageInfo }: ContentPage): string {
  const isReading = account.syncStatus === "PENDING" || account.syncStatus === "RUNNING";
  const rows = items.map((post) => `<li>${titleOf(post)}: ${metricsOf(post)}</li>`);
  return page(
    `Posts of ${nameOf(account)}`,
    `${isReading ? "<p>Reading posts…</p>" : `<ul>${rows.join("") || "<li>No posts in this period.</li>"}</ul>`}
${pageInfo.completeForWindow || isReading ? "" : `<p>Posts may be missing: ${escaped(pageInfo.incompleteReason ?? "")}</p>`}
<p><a href="/">Back</a></p>`,
    isReading ? RELOAD : "",
  );
}

export function messagePage(title: string, text: string, link = "/"): string {
  return page(title, `<p>${escaped(text)}</p><p><a href="${escaped(link)}">Continue</a></p>`);
}

function page(title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>:root { color-scheme: light dark } body { font: 1rem/1.6 system-ui; max-width: 44rem; margin: 2rem auto; padding: 0 1rem } form { display: inline }</style>
${head}
</head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body>
</html>`;
}

/** PROVIDER_A becomes Provider A. */
function labelOf(provider: string): string {
  const words = provider.toLowerCase().split("_");
  return escaped(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "));
}

function nameOf({ profile, providerAccountId }: Connection): string {
  return escaped(profile?.displayName ?? providerAccountId);
}

function titleOf({ title, description, canonicalUrl, providerContentId }: ContentItem): string {
  const text = escaped(title ?? description ?? providerContentId);
  return canonicalUrl === null ? text : `<a href="${escaped(canonicalUrl)}" rel="noreferrer">${text}</a>`;
}

/** A metric that the provider does not report is missing, not 0. */
function metricsOf({ metrics }: ContentItem): string {
  return (
    metrics.map(({ name, value }) => `${name.toLowerCase()} ${value ?? "not reported"}`).join(", ") || "no metrics"
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
