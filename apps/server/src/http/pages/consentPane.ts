import { CAPABILITIES, LIMITS } from "@social-connect/contract";
import { platformName } from "@social-connect/domain";
import type { Context } from "hono";
import { html } from "hono/html";
import type { ConsentPane } from "../../modules/browser/launch.ts";
import type { PageBrand } from "../../modules/browser/readPageBrand.ts";
import { format, timeOfDay } from "../languages/format.ts";
import type { Locale } from "../languages/locale.ts";
import { MESSAGES } from "../languages/messages.ts";
import { respond } from "./render.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface PaneOptions {
  readonly locale: Locale;
  readonly serviceHost: string;
  readonly brand: PageBrand;
  readonly pane: ConsentPane;
  /** The form of the buttons. */
  readonly action: {
    readonly path: string;
    readonly field: string;
    readonly attemptId: string;
    readonly leaveField: string;
  };
}

/** What an application will read, before the provider asks for permission. The launch token stays unused until a button is pressed. */
export function answerConsentPane(context: Context, options: PaneOptions): Promise<Response> {
  const { locale, serviceHost, brand, pane, action } = options;
  const { language } = locale;
  const { pane: message, back } = MESSAGES[language];
  const host = `${platformName(pane.provider)} (${pane.providerHost})`;
  const values = { application: brand.displayName, host };
  const read = CAPABILITIES.filter((capability) => pane.capabilities.includes(capability));
  const minutes = Math.ceil((pane.expiresAt.getTime() - pane.now.getTime()) / MINUTE_MS);
  const time = timeOfDay(locale.tag, pane.expiresAt);
  const content = html`<p>${format(language, message.next, values)}</p>
<h2>${message.readTitle}</h2><ul>${read.map((capability) => html`<li>${message.capabilities[capability]}</li>`)}</ul><p>${message.readOnly}</p>
<h2>${message.retentionTitle}</h2><p>${format(language, message.retention, { count: LIMITS.contentRetentionMs / DAY_MS })} ${message.erased}</p>
<h2>${message.revokeTitle}</h2><p>${format(language, message.revoke, values)}</p>
<form method="post" action="${action.path}"><input type="hidden" name="${action.field}" value="${action.attemptId}">
<button class="button">${format(language, message.button, values)}</button>
<button class="back" name="${action.leaveField}" value="true">${format(language, back, values)}</button></form>
<p>${format(language, message.deadline, { count: minutes, time })}</p>`;
  // Back leads to the application.
  const isHttp = pane.isPlainHttp || brand.home.startsWith("http:");
  return respond(context, {
    status: 200,
    locale,
    title: format(language, message.title, values),
    content,
    brand,
    serviceHost,
    // Browsers also check the redirects of a form against this, and a provider may redirect to other hosts.
    formAction: isHttp ? "'self' http: https:" : "'self' https:",
  });
}
