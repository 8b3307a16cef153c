import type { createApp } from "../app.ts";

/** The parts of a browser that this application needs: a cookie, an Origin header on posts, no redirects. */
export class TestBrowser {
  readonly #app: ReturnType<typeof createApp>;
  readonly #origin: string;
  readonly #address: string;
  #cookie = "";

  constructor(app: ReturnType<typeof createApp>, origin: string, address = "192.0.2.1") {
    this.#app = app;
    this.#origin = origin;
    this.#address = address;
  }

  async get(path: string) {
    return this.#send(path, {});
  }

  async post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = { origin: this.#origin },
  ) {
    return this.#send(path, { method: "POST", body: new URLSearchParams(fields), headers });
  }

  async signIn(user = "user-mara"): Promise<this> {
    await this.post("/sign-in", { user });
    return this;
  }

  /** Changes the cookie, as an attacker would. */
  tamper(change: (cookie: string) => string): void {
    this.#cookie = change(this.#cookie);
  }

  async #send(path: string, init: RequestInit) {
    const headers = new Headers(init.headers);
    if (this.#cookie !== "") headers.set("cookie", this.#cookie);
    const response = await this.#app.request(
      `${this.#origin}${path}`,
      { ...init, headers },
      {
        incoming: { socket: { remoteAddress: this.#address } },
      },
    );
    // The newest cookie: no flow here needs two.
    const cookie = response.headers.getSetCookie().at(-1) ?? null;
    if (cookie !== null) this.#cookie = cookie.split(";")[0] ?? "";
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location"),
      text: await response.text(),
      cookie,
    };
  }
}
