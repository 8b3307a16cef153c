export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string | null;
  readonly text: string;
}

type Fetch = (
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response> | Response;

/** The parts of a browser that this application needs: a cookie, an Origin header on posts, no redirects. */
export class Visitor {
  readonly #fetch: Fetch;
  readonly #origin: string;
  #cookie = "";

  constructor(fetch: Fetch, origin: string) {
    this.#fetch = fetch;
    this.#origin = origin;
  }

  get(path: string): Promise<Answer> {
    return this.#send(path, {});
  }

  post(path: string, fields: Record<string, string> = {}, origin: string = this.#origin): Promise<Answer> {
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

  async #send(
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Answer> {
    const headers = { ...init.headers, ...(this.#cookie === "" ? {} : { cookie: this.#cookie }) };
    const response = await this.#fetch(`${this.#origin}${path}`, { ...init, headers });
    const cookie = response.headers.get("set-cookie");
    if (cookie !== null) this.#cookie = cookie.split(";")[0] ?? "";
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location"),
      text: await response.text(),
    };
  }
}
