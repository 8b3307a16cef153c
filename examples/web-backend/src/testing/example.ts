import { createConsumerMock } from "@social-connect/mocks";
import type { SocialProvider } from "@social-connect/sdk";
import { SocialConnect } from "@social-connect/sdk";
import { createApp } from "../app.ts";
import { LiveStreams } from "../core/live.ts";
import { Scans } from "../core/scans.ts";
import type { Attempt, Handoff } from "../core/store.ts";
import { Store } from "../core/store.ts";
import { ManualTimer } from "./manualTimer.ts";

export const ORIGIN = "http://127.0.0.1:4403";
const RETURN_URL = `${ORIGIN}/return`;
const IDENTITY_RETURN_URL = `${ORIGIN}/identity-return`;

class RecordingStore extends Store {
  lastAttempt = "";
  lastHandoff = "";
  lastProof = "";

  override rememberAttempt(sessionId: string, attempt: Attempt): void {
    this.lastAttempt = sessionId;
    super.rememberAttempt(sessionId, attempt);
  }

  override saveHandoff(id: string, handoff: Handoff): void {
    this.lastHandoff = handoff.sessionId;
    this.lastProof = handoff.resultProof;
    super.saveHandoff(id, handoff);
  }
}

/** The application, whose SDK sends its requests to the mock. Waiting advances the mock's clock. */
export function startExample({ timeoutMs = 10_000 } = {}) {
  const mock = createConsumerMock({
    seed: "web-backend",
    application: {
      tenantKeys: ["acme"],
      webOrigins: [ORIGIN],
      returnUrls: [RETURN_URL],
      identityReturnUrls: [IDENTITY_RETURN_URL],
    },
  });
  const logged: string[] = [];
  const actions = new Map<string, () => void>();
  const store = new RecordingStore();
  const scans = new Scans();
  const timer = new ManualTimer();
  const streams = new LiveStreams(timer, { streams: 3, streamsPerUser: 2 });
  const app = createApp({
    social: new SocialConnect({
      baseUrl: mock.baseUrl,
      key: mock.key,
      fetch: mock.fetch,
      clock: mock.clock,
      random: () => 0.5,
      retries: 0,
      timeoutMs,
      hooks: { onResponse: ({ operation }) => takeAction(operation) },
    }),
    settings: {
      tenantKey: "acme",
      returnUrl: RETURN_URL,
      identityReturnUrl: IDENTITY_RETURN_URL,
      imageOrigins: ["http://127.0.0.1:4401"],
      sessionSecret: "a secret of at least thirty-two characters",
    },
    store,
    scans,
    streams,
    clock: { now: () => mock.clock.date() },
    log: (line) => logged.push(line),
  });
  const browser = () => new Browser(app);

  function takeAction(operation: string): void {
    const action = actions.get(operation);
    actions.delete(operation);
    action?.();
  }

  /** Mara starts to connect an account. Returns the id of the attempt. */
  async function begin(provider: SocialProvider = "PROVIDER_A"): Promise<string> {
    await (await browser().signIn()).post("/connect", { provider });
    return store.lastAttempt;
  }

  /** Mara connects an account, which is not read yet. Returns the id of the connection. */
  async function link(account = "slow-trains", provider: SocialProvider = "PROVIDER_A"): Promise<string> {
    return mock.connect(await begin(provider)).complete({ account }).connectionId ?? "";
  }

  /** Runs `action` once the service has responded to `operation`, before the application continues. */
  function onceAnswered(operation: string, action: () => void): void {
    actions.set(operation, action);
  }

  return { mock, app, store, scans, streams, timer, logged, browser, begin, link, onceAnswered };
}

/** The parts of a browser that this application needs: a cookie, an Origin header on posts, no redirects. */
export class Browser {
  readonly #app: ReturnType<typeof createApp>;
  #cookie = "";

  constructor(app: ReturnType<typeof createApp>) {
    this.#app = app;
  }

  async get(path: string) {
    return this.#send(path, {});
  }

  async post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = { origin: ORIGIN }) {
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

  /** Opens a stream of events. */
  async events(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#app.request(`${ORIGIN}${path}`, { headers: { ...headers, cookie: this.#cookie } });
  }

  async #send(path: string, init: RequestInit) {
    const headers = new Headers(init.headers);
    if (this.#cookie !== "") headers.set("cookie", this.#cookie);
    const response = await this.#app.request(`${ORIGIN}${path}`, { ...init, headers });
    // The newest cookie, which is all that a flow here needs.
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
