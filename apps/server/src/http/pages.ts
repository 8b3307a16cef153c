import type { BrowserErrorPage } from "@social-connect/domain";
import { BROWSER_ERROR_PAGES } from "@social-connect/domain";
import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type ErrorPage = BrowserErrorPage;

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f3f4f5, #131516); --card: light-dark(#fff, #1c1f21); --line: light-dark(#dfe2e5, #33383c); --ink: light-dark(#191c1f, #eef0f2); --soft: light-dark(#555d64, #a7afb7); --mark: light-dark(#b4552c, #f0a070); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem; background: var(--ground); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { width: min(33rem, 100%); padding: clamp(1.5rem, 6vw, 2.75rem); background: var(--card); border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 40px -20px rgb(0 0 0 / .25); }
main::before { content: ""; display: block; width: 2.75rem; height: .35rem; margin-bottom: 1.5rem; border-radius: 1rem; background: var(--mark); }
h1 { margin: 0 0 .8rem; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
p { margin: 0 0 .8rem; color: var(--soft); }
p:last-child { margin-bottom: 0; }
strong { color: var(--ink); font-weight: 600; }
a { display: inline-block; margin-top: .7rem; padding: .6rem 1.4rem; border-radius: 2rem; background: var(--ink); color: var(--card); font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 3px solid var(--mark); outline-offset: 3px; }
`;

function renderErrorPage(page: ErrorPage): HtmlEscapedString | Promise<HtmlEscapedString> {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${page.title}</title><style>${raw(STYLE)}</style></head>
<body><main><h1>${page.title}</h1><p>${page.happened}</p><p><strong>${page.whatToDo}</strong></p>${
    page.returnUrl === undefined ? "" : html`<p><a href="${page.returnUrl}" rel="noreferrer">Go back</a></p>`
  }</main></body></html>`;
}

export function answer(context: Context, page: ErrorPage) {
  return context.html(renderErrorPage(page), page.status);
}

export const PAGES = BROWSER_ERROR_PAGES;
