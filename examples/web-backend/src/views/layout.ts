import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { User } from "../core/store.ts";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PageOptions {
  readonly title: string;
  readonly user?: User | undefined;
  /**
   * Loads the page again after so many seconds: without scripts by the browser, otherwise by `public/reload.js`. The path is the
   * page's own path and query: a provider may have added a fragment, and reloading a URL with one only jumps within the page.
   */
  readonly reload?: { readonly seconds: number; readonly path: string } | undefined;
}

export function page({ title, user, reload }: PageOptions, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reload === undefined ? "" : html`<noscript><meta http-equiv="refresh" content="${reload.seconds};url=${reload.path}"></noscript>`}
<title>${title} · Atelier</title>
<link rel="stylesheet" href="/style.css">
<script type="module" src="/reload.js"></script>
</head>
<body ${reload === undefined ? "" : html`data-reload-seconds="${reload.seconds}" data-reload-path="${reload.path}"`}>
<header class="row bar">
<a class="brand" href="/">Atelier</a>
${user === undefined ? "" : html`<form class="row" method="post" action="/sign-out"><span>${user.name}</span><button class="link">Sign out</button></form>`}
</header>
<main>${content}</main>
<footer class="fine"><p>An example application of Social Connect. Times are in UTC.</p></footer>
</body>
</html>`;
}

/** Links to the accounts, and to one of them. */
export function crumbs(connectionId?: string): Html {
  const account = connectionId === undefined ? "" : html`<a href="/accounts/${connectionId}">Account</a>`;
  return html`<nav class="row crumbs" aria-label="Breadcrumb"><a href="/">Your accounts</a>${account}</nav>`;
}

/** A short page with a message and the next step. */
export function messagePage(
  options: PageOptions & { readonly text: string; readonly mood?: "busy" | "bad" },
  actions: Html = html``,
): Html {
  const { title, text, mood } = options;
  return page(
    options,
    html`<section class="message ${mood ?? ""}" ${mood === "busy" ? html`aria-live="polite"` : ""}>
<h1>${title}</h1>
<p>${text}</p>
<div class="row">${actions}</div>
</section>`,
  );
}

export function linkButton(href: string, label: string, kind: "primary" | "" = ""): Html {
  return html`<a class="button ${kind}" href="${href}">${label}</a>`;
}
