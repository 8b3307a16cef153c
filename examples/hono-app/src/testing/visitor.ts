interface Init {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
type Fetch = (url: string, init: Init) => Promise<Response> | Response;

/** The parts of a browser that this application needs: a cookie, an Origin header on posts, no redirects. */
export class Visitor {
  readonly #fetch: Fetch;
  readonly #origin: string;
  #cookie = "";

  constructor(fetch: Fetch, origin: string) {
    this.#fetch = fetch;
    this.#origin = origin;
  }

  get(path: string) {
    return this.#send(path);
  }

  async #send(path: string, init: Init = {}) {
    const cookie = this.#cookie === "" ? {} : { cookie: this.#cookie };
    const response = await this.#fetch(this.#origin + path, { ...init, headers: { ...init.headers, ...cookie } });
    const { status, headers } = response;
    this.#cookie = headers.get("set-cookie")?.split(";")[0] ?? this.#cookie;
    return { status, headers, location: headers.get("location"), text: await response.text() };
  }

  post(path: string, fields: Record<string, string> = {}, origin: string = this.#origin) {
    const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
    return this.#send(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  }

  async signIn(user = "ada"): Promise<this> {
    await this.post("/sign-in", { user });
    return this;
  }

  /** Changes the cookie, as an attacker would. */
  tamper(change: (cookie: string) => string): void {
    this.#cookie = change(this.#cookie);
  }
}
