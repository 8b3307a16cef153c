import type { Connection, ContentItem, SyncJob } from "@social-connect/sdk";
import { SocialConnect } from "@social-connect/sdk";
import { createApp } from "../app.ts";
import { Scans } from "../core/scans.ts";
import { Store } from "../core/store.ts";

export const ORIGIN = "http://127.0.0.1:4403";
const KEY = `11111111-2222-4333-8444-555555555555.${"c0ffee".repeat(10)}beef`;
const START = Date.parse("2026-03-01T12:00:00.000Z");

export const LAUNCH_TOKEN = `${"5ec2e7".repeat(10)}cafe`;

export function connection(fields: Partial<Connection> = {}): Connection {
  return {
    id: "connection-1",
    provider: "PROVIDER_A",
    providerAccountId: "channel-1",
    status: "CONNECTED",
    syncStatus: "READY",
    capabilities: [],
    profile: {
      providerAccountId: "channel-1",
      displayName: "Slow Trains",
      handle: "@slowtrains",
      avatarUrl: null,
      profileUrl: "https://videos.example/@slowtrains",
      description: "Windows, rails, weather.",
      observedAt: "2026-03-01T11:00:00.000Z",
    },
    lastSuccessfulSyncAt: "2026-03-01T11:00:00.000Z",
    nextRetryAt: null,
    ...fields,
  };
}

export function post(fields: Partial<ContentItem> = {}): ContentItem {
  return {
    id: "item-1",
    providerContentId: "post-1",
    provider: "PROVIDER_A",
    kind: "VIDEO",
    canonicalUrl: "https://videos.example/watch?v=post-1",
    thumbnailUrl: null,
    title: "Night train to the coast",
    description: null,
    publishedAt: "2026-02-20T08:00:00.000Z",
    availability: "AVAILABLE",
    reason: null,
    observedAt: "2026-03-01T11:00:00.000Z",
    metrics: [],
    ...fields,
  };
}

export function job(status: string, fields: Partial<SyncJob> = {}): SyncJob {
  return {
    id: "job-1",
    status,
    nextRetryAt: null,
    errorCode: null,
    creatorAction: null,
    resultProviderContentId: null,
    completeForWindow: null,
    incompleteReason: null,
    continuationCursor: null,
    ...fields,
  };
}

export function contentPage(items: readonly ContentItem[], pageInfo: object = {}) {
  return {
    items,
    pageInfo: { endCursor: null, hasNextPage: false, completeForWindow: true, incompleteReason: null, ...pageInfo },
    lastSuccessfulSyncAt: "2026-03-01T11:00:00.000Z",
  };
}

export function refusal(code: string, extensions: object = {}): Response {
  const correlationId = "99999999-8888-4777-8666-555555555555";
  return Response.json({ errors: [{ message: "Refused.", extensions: { code, correlationId, ...extensions } }] });
}

type Variables = Record<string, unknown>;
type Answer = object | ((variables: Variables) => object);

/** What the service answers where a test says nothing: everything is available, one account is linked. */
const DEFAULTS: Readonly<Record<string, Answer>> = {
  integrationReadiness: {
    providers: ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"].map((provider) => ({ provider, available: true })),
    idpIdentityAvailable: false,
  },
  connections: () => ({ items: [connection()], pageInfo: { endCursor: null, hasNextPage: false } }),
  connection: () => connection(),
  content: () => contentPage([post()]),
  contentItem: () => post(),
  createConnectSession: {
    id: "session-1",
    launchUrl: "http://127.0.0.1:4400/api/connect/redeem",
    launchToken: LAUNCH_TOKEN,
    expiresAt: "2026-03-01T12:10:00.000Z",
    resultExpiresAt: "2026-03-02T12:00:00.000Z",
  },
  disconnectConnection: {
    accepted: true,
    connectionId: "connection-1",
    upstreamRevocationPending: true,
    revokeJobId: "revoke-1",
    eraseJobId: "erase-1",
    creatorAction: null,
  },
};

/** The application on a fake service, and a browser that keeps its cookie. Delays end immediately. */
export function startExample(answers: Readonly<Record<string, Answer>> = {}) {
  const calls: { readonly operation: string; readonly variables: Variables }[] = [];
  const logged: string[] = [];
  let nowMs = START;
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const { query, variables } = JSON.parse(String(init?.body));
    const operation = /\{\s*(\w+)/.exec(String(query).replace(/\([^)]*\)/g, ""))?.[1] ?? "";
    calls.push({ operation, variables });
    const scripted = answers[operation] ?? DEFAULTS[operation];
    const answer = typeof scripted === "function" ? scripted(variables) : scripted;
    return answer instanceof Response ? answer.clone() : Response.json({ data: { [operation]: answer ?? null } });
  };
  const clock = {
    now: () => nowMs,
    sleep: async (durationMs: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      nowMs += durationMs;
    },
  };
  const scans = new Scans();
  const app = createApp({
    social: new SocialConnect({
      baseUrl: "http://127.0.0.1:4400",
      key: KEY,
      fetch,
      clock,
      random: () => 0.5,
      retries: 0,
    }),
    settings: {
      tenantKey: "acme",
      returnUrl: `${ORIGIN}/return`,
      imageOrigins: ["http://127.0.0.1:4401"],
      sessionSecret: "a secret of at least thirty-two characters",
    },
    store: new Store(),
    scans,
    clock: { now: () => new Date(nowMs) },
    log: (line) => logged.push(line),
  });
  return { app, calls, scans, logged, browser: () => new Browser(app) };
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

  async #send(path: string, init: RequestInit) {
    const headers = new Headers(init.headers);
    if (this.#cookie !== "") headers.set("cookie", this.#cookie);
    const response = await this.#app.request(`${ORIGIN}${path}`, { ...init, headers });
    const cookie = response.headers.get("set-cookie");
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
