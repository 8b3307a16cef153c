import type { BrowserErrorPage } from "@social-connect/domain";
import type { Reply } from "../http/exchange.ts";
import { escapeHtml, pageHtml } from "../http/html.ts";

/** What stands on everything that a browser sees: nothing is cached, framed, scripted or told to the next site. */
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

export function errorPage(page: BrowserErrorPage): Reply {
  const back =
    page.returnUrl === undefined ? "" : `<p><a href="${escapeHtml(page.returnUrl)}" rel="noreferrer">Go back</a></p>`;
  const content = `<p>${escapeHtml(page.happened)}</p><p><strong>${escapeHtml(page.whatToDo)}</strong></p>${back}`;
  return { status: page.status, headers: pageHeaders("'none'"), body: pageHtml(page.title, content) };
}

/** A page with a form. `formTargets` are the origins that the browser is sent on to once it was posted. */
export function formPage(title: string, content: string, formTargets: readonly string[]): Reply {
  const action = ["'self'", ...new Set(formTargets)].join(" ");
  return { status: 200, headers: pageHeaders(action), body: pageHtml(title, content) };
}

export function redirect(location: string, headers: readonly (readonly [string, string])[] = []): Reply {
  const rest = pageHeaders("'none'").filter(([name]) => name !== "content-type");
  return { status: 303, headers: [["location", location], ...rest, ...headers], body: null };
}
