import type { Recorder } from "./recorder.ts";

export interface Visit {
  readonly status: number;
  readonly location: URL | null;
  readonly headers: Headers;
  readonly text: string;
}

type Fields = Readonly<Record<string, string>>;

/** The part of a browser that the service sees: cookies of the connect host, forms, and no automatic redirects. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #recorder: Recorder | undefined;
  readonly #fetch: typeof globalThis.fetch;

  constructor(recorder?: Recorder, fetch: typeof globalThis.fetch = globalThis.fetch, cookieHeader = "") {
    this.#recorder = recorder;
    this.#fetch = fetch;
    for (const pair of cookieHeader.split("; ").filter((text) => text !== "")) this.#keep(pair);
  }

  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Posts the launch form as the application's page does; `origin` null sends no Origin header. */
  post(url: string, fields: Fields, origin: string | null, headers: Fields = {}): Promise<Visit> {
    return this.#visit(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...(origin !== null && { origin }), ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  get(url: string | URL, headers: Fields = {}): Promise<Visit> {
    return this.#visit(String(url), { method: "GET", headers: { accept: "text/html", ...headers } });
  }

  head(url: string | URL): Promise<Visit> {
    return this.#visit(String(url), { method: "HEAD", headers: {} });
  }

  async #visit(url: string, init: { method: string; headers: Record<string, string>; body?: string }): Promise<Visit> {
    const cookie = this.cookieHeader;
    const response = await this.#fetch(url, {
      ...init,
      headers: { ...init.headers, ...(cookie !== "" && { cookie }) },
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    this.#recorder?.see([`http:${response.status}`, `page:${response.status}`]);
    const location = response.headers.get("location");
    return {
      status: response.status,
      location: location === null ? null : new URL(location, url),
      headers: response.headers,
      text: await response.text(),
    };
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    const gone = value === "" || attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
    if (gone) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
