interface Init {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
type Fetch = (url: string, init: Init) => Promise<Response> | Response;

/** The parts of a browser that the examples need: a cookie, an Origin header on posts, no redirects. */
export class Visitor {
  readonly #fetch: Fetch;
  readonly #origin: string;
  readonly #user: string;
  #cookie = "";

  constructor(fetch: Fetch, origin: string, user = "ada") {
    this.#fetch = fetch;
    this.#origin = origin;
    this.#user = user;
  }

  get(path: string) {
    return this.#send(path);
  }

  async #send(path: string, init: Init = {}) {
    const sent = this.#cookie === "" ? {} : { cookie: this.#cookie };
    const response = await this.#fetch(this.#origin + path, { ...init, headers: { ...init.headers, ...sent } });
    const { status, headers } = response;
    // The newest cookie: no flow here needs two.
    const cookie = headers.getSetCookie().at(-1);
    this.#cookie = cookie?.split(";")[0] ?? this.#cookie;
    return { status, headers, location: headers.get("location"), text: await response.text(), cookie };
  }

  post(path: string, fields: Record<string, string> = {}, given: object = { origin: this.#origin }) {
    const headers = { "content-type": "application/x-www-form-urlencoded", ...given };
    return this.#send(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  }

  async signIn(user = this.#user): Promise<this> {
    await this.post("/sign-in", { user });
    return this;
  }

  /** Changes the cookie, as an attacker would. */
  tamper(change: (cookie: string) => string): void {
    this.#cookie = change(this.#cookie);
  }
}
