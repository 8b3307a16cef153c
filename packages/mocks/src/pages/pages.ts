import type { BrowserErrorPage } from "@social-connect/domain";
import type { Reply } from "../http/exchange.ts";
import { type Html, html, pageHtml } from "./html.ts";

/** Headers of every browser response: no caching, framing, scripts or Referer. */
function pageHeaders(formAction: string): [string, string][] {
  return [
    ["content-type", "text/html; charset=utf-8"],
    ["cache-control", "no-store"],
    ["referrer-policy", "no-referrer"],
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

/** A page without a form. */
export function contentPage(status: number, title: string, content: Html | Promise<Html>): Reply {
  return { status, headers: pageHeaders("'none'"), body: pageHtml(title, content) };
}

/** A page with a form. `formTargets` are the origins to which the browser may be redirected after the post. */
export function formPage(title: string, content: Html | Promise<Html>, formTargets: readonly string[]): Reply {
  const action = ["'self'", ...new Set(formTargets)].join(" ");
  return { status: 200, headers: pageHeaders(action), body: pageHtml(title, content) };
}

export function redirect(location: string, headers: readonly (readonly [string, string])[] = []): Reply {
  const rest = pageHeaders("'none'").filter(([name]) => name !== "content-type");
  return { status: 303, headers: [["location", location], ...rest, ...headers], body: null };
}

export function badRequest(happened: string): Reply {
  return errorPage({ status: 400, title: "Bad request", happened, whatToDo: "Go back and try again." });
}
