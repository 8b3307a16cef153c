import { TEXTS } from "@social-connect/domain";
import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { PageBrand } from "../../modules/browser/readPageBrand.ts";
import { format } from "../languages/format.ts";
import type { Locale } from "../languages/locale.ts";
import { hashOf, styleOf } from "./style.ts";

type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PageView {
  readonly status: ContentfulStatusCode;
  readonly locale: Locale;
  readonly title: string;
  readonly content: Markup;
  /** Null where the application is not known. */
  readonly brand: PageBrand | null;
  /** The host of the service, which differs from the application's. */
  readonly serviceHost: string;
  /** The source list of `form-action`; pages without a form have none. */
  readonly formAction?: string;
  /** Whether it is a preview: only a frame of the same origin shows it, and its form and links do nothing. */
  readonly isPreview?: boolean | undefined;
  /** A line about a page that belongs to no application. */
  readonly about?: string;
}

/**
 * A page with its own policy: no scripts, only this style sheet, and images only if it contains the logo, which was
 * checked before it was stored. Of its request, a page only names the origin, escaped.
 */
export async function respond(context: Context, view: PageView): Promise<Response> {
  const { status, locale, brand, formAction, isPreview = false } = view;
  const style = styleOf(brand?.brandColor ?? null);
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(brand?.logo == null ? [] : ["img-src data:"]),
    "base-uri 'none'",
    `form-action ${isPreview ? "'none'" : (formAction ?? "'none'")}`,
    ...(isPreview ? ["frame-ancestors 'self'", "sandbox"] : ["frame-ancestors 'none'"]),
  ];
  context.header("content-security-policy", policy.join("; "));
  if (isPreview) context.header("x-frame-options", "SAMEORIGIN");
  context.header("content-language", locale.language);
  context.header("vary", "accept-language");
  // With no-referrer, a browser would hide the origin of a form.
  if (formAction !== undefined) context.header("referrer-policy", "same-origin");
  return context.html(render(view, style), status);
}

function render({ locale, title, content, brand, serviceHost, about }: PageView, style: string): Markup {
  return html`<!doctype html>
<html lang="${locale.language}" dir="ltr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${brand === null ? title : `${title} · ${brand.displayName}`}</title><style>${raw(style)}</style></head>
<body><main>${brand === null ? "" : header(brand)}<h1>${title}</h1>${content}${
    brand === null ? "" : footer(locale, brand, serviceHost)
  }${about === undefined ? "" : html`<footer><p>${about}</p></footer>`}</main></body></html>`;
}

function header({ displayName, logo }: PageBrand): Markup {
  // The name beside the logo describes it.
  const image = logo === null ? "" : html`<img src="${logo}" alt="">`;
  return html`<p class="brand">${image}<bdi>${displayName}</bdi></p>`;
}

function footer(
  { language, tag }: Locale,
  { displayName, supportAddress, privacyUrl }: PageBrand,
  host: string,
): Markup {
  const { service, support, privacy } = TEXTS[language].page;
  const link = (address: string | null, text: string) =>
    address === null ? "" : html`<a href="${address}" rel="noreferrer">${text}</a>`;
  const links = html`${link(supportAddress, support)}${link(privacyUrl, privacy)}`;
  return html`<footer><p>${format(tag, service, { host, application: displayName })}</p>${
    supportAddress === null && privacyUrl === null ? "" : html`<p>${links}</p>`
  }</footer>`;
}
