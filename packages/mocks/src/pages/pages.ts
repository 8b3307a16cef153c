import { type BrowserErrorPage, isPastRetention, providerOfSlug } from "@social-connect/domain";
import { html, raw } from "hono/html";
import type { Incoming, Reply } from "../http/exchange.ts";
import { PROVIDERS } from "../providers/providers.ts";
import type { World } from "../world/world.ts";

export { html };

type Html = ReturnType<typeof raw>;

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto}h1{font-size:1.4rem}fieldset{margin:0 0 1rem;border:1px solid #8888;border-radius:.5rem}
label{display:block;padding:.2rem 0}small{opacity:.75}button{font:inherit;padding:.5rem 1.2rem;margin-right:.5rem}
select,input[type=text]{font:inherit;padding:.3rem}`;

function pageHtml(title: string, content: Html | Promise<Html>): string {
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${raw(STYLE)}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>
`;
  return String(page);
}

/** One of several choices, the first of which is preselected. */
export function radioChoice(name: string, value: string, summary: string, index: number): Html | Promise<Html> {
  const checked = index === 0 ? " checked" : "";
  return html`<label><input type="radio" name="${name}" value="${value}"${checked}> ${value} <small>${summary}</small></label>`;
}

/** Headers of every browser response: no caching, framing, scripts or Referer. */
function pageHeaders(formAction: string, referrerPolicy = "no-referrer"): [string, string][] {
  return [
    ["content-type", "text/html; charset=utf-8"],
    ["cache-control", "no-store"],
    ["referrer-policy", referrerPolicy],
    ["x-content-type-options", "nosniff"],
    ["x-frame-options", "DENY"],
    [
      "content-security-policy",
      `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    ],
  ];
}

export function errorPage({ status, title, happened, whatToDo, returnUrl }: BrowserErrorPage): Reply {
  const back = returnUrl === undefined ? "" : html`<p><a href="${returnUrl}" rel="noreferrer">Go back</a></p>`;
  const content = html`<p>${happened}</p><p><strong>${whatToDo}</strong></p>${back}`;
  return contentPage(status, title, content);
}

function contentPage(status: number, title: string, content: Html | Promise<Html>): Reply {
  return { status, headers: pageHeaders("'none'"), body: pageHtml(title, content) };
}

export function formPage(title: string, content: Html | Promise<Html>, formTargets: readonly string[]): Reply {
  const action = ["'self'", ...new Set(formTargets)].join(" ");
  // With no-referrer, browsers send `Origin: null` with the form.
  return { status: 200, headers: pageHeaders(action, "same-origin"), body: pageHtml(title, content) };
}

export function redirect(location: string, headers: readonly (readonly [string, string])[] = []): Reply {
  const rest = pageHeaders("'none'").filter(([name]) => name !== "content-type");
  return { status: 303, headers: [["location", location], ...rest, ...headers], body: null };
}

export function badRequest(happened: string): Reply {
  return errorPage({ status: 400, title: "Bad request", happened, whatToDo: "Go back and try again." });
}

/** `GET /api/connect/{provider}/data-deletion`: the status of a data deletion request. */
export function showDeletion(world: World, request: Incoming, slug: string): Reply | null {
  const provider = providerOfSlug(slug);
  if (provider === null || !PROVIDERS[provider].messages.includes("data-deletion")) return null;
  const deletion = world.state.dataDeletions.get(request.url.searchParams.get("code") ?? "");
  if (deletion === undefined || isPastRetention("dataDeletion", deletion.requestedAt, world.now())) {
    return contentPage(404, "There is no deletion request with this code", html`<p>The request may be too old.</p>`);
  }
  const { connectionIds } = deletion;
  const left = connectionIds.filter((id) => world.state.connections.has(id)).length;
  const state = connectionIds.length === 0 ? "Nothing was stored." : left === 0 ? "Everything was erased." : "";
  const counts = html`<p>Erased accounts: ${connectionIds.length - left} of ${connectionIds.length}</p>`;
  return contentPage(200, "Deletion of your data", html`<p><strong>${state}</strong></p>${counts}`);
}
