import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { User } from "../core/users.ts";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Reload {
  readonly seconds: number;
  /**
   * The page's own path and query. A provider may have added a fragment, which browsers keep through every redirect;
   * reloading a URL with a fragment only jumps within the page.
   */
  readonly path: string;
}

export interface PageOptions {
  readonly title: string;
  readonly user?: User | undefined;
  /** Loads the page again after so many seconds: without scripts by the browser, otherwise by `public/reload.js`. */
  readonly reload?: Reload | undefined;
}

export function page({ title, user, reload }: PageOptions, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${reload === undefined ? "" : html`<noscript><meta http-equiv="refresh" content="${reload.seconds};url=${reload.path}"></noscript>`}
<title>${title} · Atelier</title>
<link rel="stylesheet" href="/style.css">
<script type="module" src="/public/main.js"></script>
</head>
<body ${reload === undefined ? "" : html`data-reload-seconds="${reload.seconds}" data-reload-path="${reload.path}"`}>
<header class="bar">
<a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span>Atelier</a>
${user === undefined ? "" : account(user)}
</header>
<main>${content}</main>
<footer class="foot"><p>An example application of Social Connect. Times are in UTC.</p></footer>
</body>
</html>`;
}

function account(user: User): Html {
  return html`<form class="who" method="post" action="/sign-out">
<span>${user.name}</span>
<button class="link" type="submit">Sign out</button>
</form>`;
}

/** A short page with a message and the next step. */
export function messagePage(
  options: PageOptions & { readonly text: string; readonly mood?: "calm" | "busy" | "good" | "bad" },
  actions: Html = html``,
): Html {
  const { title, text, mood = "calm" } = options;
  return page(
    options,
    html`<section class="message ${mood}" ${mood === "busy" ? html`aria-live="polite"` : ""}>
<span class="message-mark" aria-hidden="true"></span>
<h1>${title}</h1>
<p>${text}</p>
<div class="actions">${actions}</div>
</section>`,
  );
}

export function linkButton(href: string, label: string, kind: "primary" | "quiet" = "quiet"): Html {
  return html`<a class="button ${kind}" href="${href}">${label}</a>`;
}
