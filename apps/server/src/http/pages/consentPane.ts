import { CAPABILITIES, LIMITS } from "@social-connect/contract";
import { platformName, TEXTS } from "@social-connect/domain";
import type { Context } from "hono";
import { html } from "hono/html";
import type { ConsentPane } from "../../modules/browser/launch.ts";
import type { PageBrand } from "../../modules/browser/readPageBrand.ts";
import { format } from "../languages/format.ts";
import { type PageView, respond } from "./render.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface PaneOptions extends Pick<PageView, "locale" | "serviceHost" | "isPreview"> {
  readonly brand: PageBrand;
  readonly pane: ConsentPane;
  /** The form of the buttons. */
  readonly action: {
    readonly path: string;
    readonly field: string;
    readonly attemptId: string;
    readonly leaveField: string;
    readonly otherField: string;
  };
}

/** What an application will read, before the provider asks for permission. The launch token stays unused until a button is pressed. */
export function answerConsentPane(context: Context, options: PaneOptions): Promise<Response> {
  const { locale, serviceHost, brand, pane, action, isPreview } = options;
  const { pane: message, page } = TEXTS[locale.language];
  const values = {
    application: brand.displayName,
    network: platformName(pane.provider),
    host: pane.providerHost,
    days: LIMITS.contentRetentionMs / DAY_MS,
    minutes: Math.ceil((pane.expiresAt.getTime() - pane.now.getTime()) / MINUTE_MS),
  };
  const text = (message: string) => format(locale.tag, message, values);
  const read = CAPABILITIES.filter((capability) => pane.capabilities.includes(capability));
  const content = html`<p>${text(message.next)}</p>
<h2>${message.readTitle}</h2><ul>${read.map((capability) => html`<li>${message.capabilities[capability]}</li>`)}</ul><p>${message.readOnly}</p>
<h2>${message.retentionTitle}</h2><p>${text(message.retention)}</p>
<h2>${message.revokeTitle}</h2><p>${text(message.revoke)}</p>
<form class="actions" method="post" action="${action.path}"><input type="hidden" name="${action.field}" value="${action.attemptId}">
<button class="button">${text(message.button)}</button>
${pane.offersOtherAccount ? html`<button class="back" name="${action.otherField}" value="true">${message.otherAccount}</button>` : ""}
<button class="back" name="${action.leaveField}" value="true">${text(page.back)}</button></form>
<p>${text(message.deadline)}</p>`;
  // Back leads to the application.
  const isHttp = pane.isPlainHttp || brand.home.startsWith("http:");
  return respond(context, {
    status: 200,
    locale,
    title: text(message.title),
    content,
    brand,
    serviceHost,
    isPreview,
    // Browsers also check the redirects of a form against this, and a provider may redirect to other hosts.
    formAction: isHttp ? "'self' http: https:" : "'self' https:",
  });
}
