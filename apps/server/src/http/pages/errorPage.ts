import { BROWSER_ERROR_PAGES, type BrowserErrorPage, type ErrorName, TEXTS } from "@social-connect/domain";
import type { Context } from "hono";
import { html } from "hono/html";
import { format, type Values } from "../languages/format.ts";
import { DEFAULT_LOCALE } from "../languages/locale.ts";
import { type PageView, respond } from "./render.ts";

export interface ErrorPageOptions extends Pick<PageView, "locale" | "serviceHost" | "brand" | "isPreview"> {
  /** The return URL with the result, if the attempt has ended; otherwise the link leads to the application's start page. */
  readonly returnUrl?: string | null;
  /** Instead of that of the page. */
  readonly status?: BrowserErrorPage["status"];
  /** The values of the placeholders on the page. */
  readonly values?: Values;
}

/** An error page for end users. */
export function answerError(context: Context, name: ErrorName, options: ErrorPageOptions): Promise<Response> {
  const { locale, serviceHost, brand, returnUrl, values, isPreview, status } = options;
  const texts = TEXTS[locale.language];
  const { title, happened, whatToDo } = texts.errors[name];
  const text = format(locale.tag, happened, values);
  const back = brand && format(locale.tag, texts.page.back, { application: brand.displayName });
  const link = brand && html`<p><a class="button" href="${returnUrl ?? brand.home}" rel="noreferrer">${back}</a></p>`;
  return respond(context, {
    status: status ?? BROWSER_ERROR_PAGES[name].status,
    locale,
    title,
    content: html`<p>${text}</p><p><strong>${whatToDo}</strong></p>${link ?? ""}`,
    brand,
    serviceHost,
    isPreview,
  });
}

/** A page for admins, in English. */
export interface AdminPage extends BrowserErrorPage {
  /** What the admin was about to use: the panel's mode and host. */
  readonly about?: string;
  /** The first is the main one. */
  readonly links?: readonly { readonly href: string; readonly text: string }[];
}

export function answerAdmin(context: Context, { status, title, happened, whatToDo, links = [], ...page }: AdminPage) {
  const anchors = links.map(
    ({ href, text }, index) => html`<p><a class="${index === 0 ? "button" : "back"}" href="${href}">${text}</a></p>`,
  );
  const content = html`<p>${happened}</p><p><strong>${whatToDo}</strong></p>${anchors}`;
  return respond(context, { ...page, status, title, content, locale: DEFAULT_LOCALE, brand: null, serviceHost: "" });
}
