import { parseForm } from "./htmlForm.ts";

export interface Page {
  readonly url: URL;
  readonly status: number;
  /** The redirect target, or null for a page. */
  readonly location: URL | null;
  readonly html: string;
}

const MOST_REDIRECTS = 10;
const TIMEOUT_MS = 20_000;

/**
 * As much of a browser as a consent needs: it keeps cookies by host, says which page a form was sent from, and takes
 * redirects one by one.
 */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Sends a form as the page at `from` would; a browser puts that page's origin into the `Origin` header. */
  async submit(from: URL, action: URL, fields: Iterable<readonly [string, string]>): Promise<Page> {
    const body = new URLSearchParams();
    for (const [name, value] of fields) body.append(name, value);
    return this.#send(action, { method: "POST", headers: { origin: from.origin }, body });
  }

  /** Follows redirects until a page is shown, or until one leads to `destination`, which is not opened. */
  async follow(start: Page, destination: URL): Promise<Page> {
    let page = start;
    for (let hops = 0; page.location !== null && !isAt(page.location, destination); hops++) {
      if (hops === MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects, last at ${page.url.origin}`);
      page = await this.#send(page.location, { method: "GET" });
    }
    return page;
  }

  async #send(url: URL, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers);
    headers.set("accept", "text/html");
    const cookies = [...(this.#cookies.get(url.host) ?? [])].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
    const response = await fetch(url, {
      ...init,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    this.#keep(url.host, response.headers.getSetCookie());
    const target = response.headers.get("location");
    return {
      url,
      status: response.status,
      location: target === null ? null : new URL(target, url),
      html: await response.text(),
    };
  }

  #keep(host: string, lines: readonly string[]): void {
    const cookies = this.#cookies.get(host) ?? new Map<string, string>();
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(";");
      const [name = "", ...value] = pair.split("=");
      if (attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))) cookies.delete(name.trim());
      else cookies.set(name.trim(), value.join("=").trim());
    }
    this.#cookies.set(host, cookies);
  }
}

function isAt(url: URL, destination: URL): boolean {
  return url.origin === destination.origin && url.pathname === destination.pathname;
}

/**
 * Goes from the application's launch form to its return page and consents with the preselected account. Returns the
 * return URL.
 */
export async function goThroughConsent(launchUrl: string, launchToken: string, returnUrl: string): Promise<URL> {
  const browser = new Browser();
  const home = new URL(returnUrl);
  const launched = await browser.submit(home, new URL(launchUrl), [["launchToken", launchToken]]);
  const asked = await browser.follow(launched, home);
  const form = parseForm(asked.html);
  if (form === null) throw new Error(`there is no consent form: ${describe(asked)}`);
  const agreed = await browser.submit(asked.url, new URL(form.action, asked.url), [
    ...form.fields,
    ["decision", "allow"],
  ]);
  const back = await browser.follow(agreed, home);
  if (back.location === null) throw new Error(`consent does not lead back: ${describe(back)}`);
  return back.location;
}

function describe({ status, url, html }: Page): string {
  const [, title = "a page without a title"] = /<title>([^<]*)/i.exec(html) ?? [];
  return `${url.origin}${url.pathname} answered ${status}, ${title.trim()}`;
}
