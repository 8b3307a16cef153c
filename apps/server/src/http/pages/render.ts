import { createHash } from "node:crypto";
import { brandingProblem, contrastingColor, TEXTS, textColorOn } from "@social-connect/domain";
import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { PageBrand } from "../../modules/browser/readPageBrand.ts";
import { format } from "../languages/format.ts";
import type { Locale } from "../languages/locale.ts";

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
 * checked before it was stored. A page names only the origin of its request, escaped.
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

const CARD = { light: "#ffffff", dark: "#1c1f21" };

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f3f4f5, #131516); --card: light-dark(${CARD.light}, ${CARD.dark}); --line: light-dark(#dfe2e5, #33383c); --ink: light-dark(#191c1f, #eef0f2); --soft: light-dark(#555d64, #a7afb7); --mark: light-dark(#b4552c, #f0a070); --button: var(--ink); --on-button: var(--card); --space: clamp(1.25rem, 6vw, 2.75rem); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: clamp(.5rem, 3vw, 1.25rem); background: var(--ground); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: min(33rem, 100%); min-width: 0; padding: var(--space); background: var(--card); border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 40px -20px rgb(0 0 0 / .25); }
main::before { content: ""; display: block; width: 2.75rem; height: .35rem; margin-bottom: 1.25rem; border-radius: 1rem; background: var(--mark); }
.brand { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 0 0 1rem; color: var(--ink); font-weight: 600; }
.brand img { display: block; max-width: min(12rem, 100%); max-height: 3rem; padding: .3rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
h1 { margin: 0 0 .8rem; font-size: clamp(1.3rem, 5vw, 1.6rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 1.4rem 0 .4rem; font-size: 1.05rem; line-height: 1.3; }
p, ul { margin: 0 0 .8rem; color: var(--soft); }
ul { padding-inline-start: 1.25rem; }
strong { color: var(--ink); font-weight: 600; }
a { color: var(--ink); }
.button { display: inline-block; max-width: 100%; margin-top: .7rem; padding: .6rem 1.4rem; border: 1px solid var(--soft); border-radius: 2rem; background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
.back { padding: .3rem 0; border: 0; background: none; color: var(--ink); font: inherit; text-align: start; text-decoration: underline; cursor: pointer; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.25rem; margin: 1rem calc(-1 * var(--space)) .8rem; padding: .8rem var(--space); border-block: 1px solid var(--line); background: var(--card); }
.actions .button { margin: 0; }
@media (min-height: 30rem) { .actions { position: sticky; bottom: 0; } }
:lang(ja) { word-break: auto-phrase; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
footer { margin-top: 1.6rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9375rem; }
footer p { margin: 0 0 .4rem; }
footer a { margin-inline-end: 1.25rem; }
main > :last-child, footer > :last-child { margin-bottom: 0; }
`;

/** The style sheet of a page, with a color that was checked before it was stored. */
function styleOf(brandColor: string | null): string {
  if (brandColor === null || brandingProblem("brandColor", brandColor) !== null) return STYLE;
  const [light, dark] = [contrastingColor(brandColor, CARD.light), contrastingColor(brandColor, CARD.dark)];
  const text = `light-dark(${textColorOn(light)}, ${textColorOn(dark)})`;
  return `${STYLE}:root { --mark: light-dark(${light}, ${dark}); --button: var(--mark); --on-button: ${text}; }\n`;
}

/** The hash by which a policy allows exactly this style sheet. */
function hashOf(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}
