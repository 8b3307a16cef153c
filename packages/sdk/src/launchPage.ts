import { CONSENT_PANE_FIELD, UI_LOCALES_FIELD } from "@social-connect/contract";
import { ConfigurationError, refuseUnknownNames, requireObject, type SecretText } from "@social-connect/sdk-core";
import { IDENTITY_REDEEM_PATH } from "./_generated/limits.ts";
import BUTTONS from "./launchButton.json" with { type: "json" };
import { launchTokenOf } from "./launchToken.ts";

/** The properties of a session of `connect` or of the identity handoff that a launch page needs. */
export interface Launchable {
  /** The URL to which the browser posts the token. */
  readonly launchUrl: string;
  /** The one-use token. */
  readonly launchToken: SecretText;
}

/** The language and wording of the page, and what the service shows. */
export interface LaunchPageOptions {
  /**
   * The languages of this page and of the service's own pages: BCP 47 tags separated by spaces, the preferred one first,
   * such as `de-AT de en`. By default this page is in English, and the browser's Accept-Language header decides for the
   * service's.
   */
  readonly uiLocales?: string | undefined;
  /**
   * Whether the service shows its consent pane before the provider's consent page: which application asks, what is read,
   * for how long it is stored and how to revoke it. Only for `connect`; off by default.
   */
  readonly consentPane?: boolean | undefined;
  /** The page's language, as in the `lang` attribute; by default the first of `uiLocales` that has a translation. */
  readonly language?: string | undefined;
  /** The page's title, and a heading; by default the title is the button's label, without a heading. */
  readonly title?: string | undefined;
  /** A text before the button. */
  readonly text?: string | undefined;
  /** The label of the button, which is only needed without scripts; by default “Continue” in the page's language. */
  readonly button?: string | undefined;
}

/**
 * A response to send unchanged. The body contains the launch token, so it must not be logged or stored; printing the
 * object omits the body.
 */
export class LaunchPage {
  readonly #html: string;
  /** Headers that must be sent with the page. */
  readonly headers: Readonly<Record<string, string>>;

  /** Created by `launchPage`. */
  constructor(html: string, headers: Readonly<Record<string, string>>) {
    this.#html = html;
    this.headers = headers;
  }

  /** The body, launch token included. */
  get html(): string {
    return this.#html;
  }

  /** The page as a `Response`, for frameworks that return one. */
  toResponse(): Response {
    return new Response(this.#html, { headers: { ...this.headers } });
  }

  /** The page without its body. */
  toJSON(): Record<string, unknown> {
    return { html: "[redacted]", headers: this.headers };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): Record<string, unknown> {
    return this.toJSON();
  }
}

/**
 * The page that redirects a browser to the consent page: a form that posts the one-use token to the service, automatically
 * or with a button. It uses only `launchUrl` and `launchToken` of the session, so the page never contains a `resultProof`.
 *
 * The referrer policy is `strict-origin` because the service checks the Origin header of the form; with `no-referrer`
 * browsers send `Origin: null`.
 *
 * Throws ConfigurationError for a session without a valid URL and token. JSON of a session has no token. `exportSession` keeps a session between processes.
 */
export function launchPage(session: Launchable, options: LaunchPageOptions = {}): LaunchPage {
  refuseUnknownNames("options", options, PAGE_OPTIONS);
  const { uiLocales, consentPane = false, ...wording } = options;
  for (const [name, value] of Object.entries(wording)) {
    if (value !== undefined && typeof value !== "string") throw new ConfigurationError(`${name} must be a string.`);
  }
  requireObject("session", session);
  const target = launchTarget(session.launchUrl);
  const token = launchTokenOf(session.launchToken);
  const fields = optionalFields(target, uiLocales, consentPane);
  const known = knownLanguage(wording.language ?? uiLocales ?? "");
  const { language = known, button = BUTTONS[known], title = button, text } = wording;
  const html = `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="strict-origin">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${element("h1", wording.title)}${element("p", text)}<form method="post" action="${escaped(target.href)}">
<input type="hidden" name="launchToken" value="${escaped(token)}">
${fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">\n`).join("")}<button type="submit">${escaped(button)}</button>
</form>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return new LaunchPage(html, headersFor(target));
}

const PAGE_OPTIONS = [
  "uiLocales",
  "consentPane",
  "language",
  "title",
  "text",
  "button",
] as const satisfies readonly (keyof LaunchPageOptions)[];

/** Tags as in BCP 47, which need no escaping. */
const UI_LOCALES = /^[A-Za-z0-9-]{1,35}(?: [A-Za-z0-9-]{1,35}){0,15}$/;

function optionalFields(target: URL, uiLocales: string | undefined, consentPane: boolean) {
  const fields: [name: string, value: string][] = [];
  if (uiLocales !== undefined) {
    if (typeof uiLocales !== "string" || !UI_LOCALES.test(uiLocales)) {
      throw new ConfigurationError("uiLocales must be at most 16 language tags separated by single spaces.");
    }
    fields.push([UI_LOCALES_FIELD, uiLocales]);
  }
  if (consentPane) {
    if (target.pathname.endsWith(IDENTITY_REDEEM_PATH)) {
      throw new ConfigurationError("consentPane is only available for connect, not for the identity handoff.");
    }
    fields.push([CONSENT_PANE_FIELD, "true"]);
  }
  return fields;
}

const SCRIPT = "document.forms[0].submit()";
const STYLE =
  ":root{color-scheme:light dark}body{font:1rem system-ui;margin:30vh 1rem;text-align:center}button{font:inherit}";

/** SHA-256 of the two strings above; a test recomputes them. Constant strings need no nonce. */
const SCRIPT_HASH = "sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE=";
const STYLE_HASH = "sha256-fZn2VAFSJz+JO7eYn9L2jJedBR8KOIpEle9pbLpGHGo=";

/**
 * `form-action` contains schemes without hosts: browsers also check redirects against it, and the form redirects to a
 * provider that this page does not know. Plain http is only included if the launch URL uses it.
 */
function headersFor(target: URL): Readonly<Record<string, string>> {
  const schemes = target.protocol === "http:" ? "http: https:" : "https:";
  const policy = [
    "default-src 'none'",
    `script-src '${SCRIPT_HASH}'`,
    `style-src '${STYLE_HASH}'`,
    `form-action ${schemes}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "referrer-policy": "strict-origin",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

function launchTarget(launchUrl: string): URL {
  const url = URL.canParse(launchUrl) ? new URL(launchUrl) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new ConfigurationError("The session's launchUrl is not an http or https URL.");
  }
  return url;
}

/** The first language of tags separated by spaces that has a label; English without one. */
function knownLanguage(tags: string): keyof typeof BUTTONS {
  const languages = tags.toLowerCase().replaceAll(/-\S*/g, "").split(" ");
  return languages.find((one): one is keyof typeof BUTTONS => Object.hasOwn(BUTTONS, one)) ?? "en";
}

function element(name: string, text = ""): string {
  return text && `<${name}>${escaped(text)}</${name}>\n`;
}

/** Numeric references need no table of names. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
