import { readFileSync } from "node:fs";
import type { SocialProvider } from "@social-connect/contract";
import { expect } from "vitest";
import {
  type ContentObservation,
  type ListRequest,
  type ProviderAdapter,
  ProviderError,
  type ProviderSession,
  type RegistrationAccess,
} from "../contract.ts";
import { providerAdapter } from "../registry/registry.ts";

export type Replay = ReturnType<typeof replay>;

export interface ReplayAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged; anything else is sent as JSON. */
  readonly body?: unknown;
  /** Rejects instead, like a broken connection. */
  readonly fails?: Error;
}

/** A test provider: recorded responses, returned in order, and the requests it received. */
export function replay(...answers: ReplayAnswer[]) {
  const waiting = [...answers];
  const requests: { method: string; url: URL; headers: Headers; body: string; redirect: string }[] = [];
  return {
    requests,
    waiting,
    /** Throws unless every response was requested. */
    assertDone() {
      if (waiting.length > 0) throw new Error(`${waiting.length} answers were not asked for`);
    },
    async fetch(input: string | URL | Request, init?: RequestInit) {
      const request = new Request(input, init);
      requests.push({
        method: request.method,
        url: new URL(request.url),
        headers: request.headers,
        body: await request.text(),
        redirect: request.redirect,
      });
      const answer = waiting.shift();
      if (answer === undefined) throw new Error(`no answer left for ${request.method} ${request.url}`);
      if (answer.fails !== undefined) throw answer.fails;
      const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? null);
      return new Response(answer.body === undefined ? null : text, {
        status: answer.status ?? 200,
        headers: { "content-type": "application/json", ...answer.headers },
      });
    },
  };
}

/** Records the requests of an adapter's reads, which get these responses. */
export function replayTo(provider: SocialProvider, ...answers: ReplayAnswer[]) {
  const upstream = replay(...answers);
  const read = (overrides?: Partial<ProviderSession>) => session(registration(provider, upstream.fetch), overrides);
  return { upstream, read };
}

/** The recorded bodies in the folder `__fixtures__` beside the test, and responses with them. */
export function recordings(testUrl: string) {
  const recorded = (name: string) => readFileSync(new URL(`./__fixtures__/${name}`, testUrl), "utf8");
  const said = (status: number, name: string, headers: Record<string, string> = {}): ReplayAnswer => {
    return { status, body: recorded(name), headers };
  };
  return { recorded, said };
}

export const NOW = new Date("2026-09-01T12:00:00.000Z");

export function session(registration: RegistrationAccess, overrides: Partial<ProviderSession> = {}): ProviderSession {
  return {
    registration,
    accessToken: "access-token-canary",
    providerAccountId: null,
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
    ...overrides,
  };
}

/** A provider's registration with its real URLs; nothing is sent to them, because `fetch` is a replay. */
export function registration(provider: SocialProvider, fetch: typeof globalThis.fetch): RegistrationAccess {
  const { addresses, scopes } = providerAdapter(provider).publicApi;
  return { clientId: "client-id", clientSecret: "client-secret-canary", addresses, scopes, fetch, now: NOW };
}

export async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  return promise.then(
    () => expect.fail("it succeeded"),
    (error: unknown) =>
      error instanceof ProviderError ? error : expect.fail(`not a provider error: ${String(error)}`),
  );
}

/** The profile of an account of which a provider shows nothing. */
export const NOTHING_SHOWN = { displayName: null, handle: null, avatarUrl: null, profileUrl: null, description: null };

export const idsOf = (items: readonly { providerContentId: string }[]) => items.map((item) => item.providerContentId);

type Metric = ContentObservation["metrics"][number];

export function metric(
  name: Metric["name"],
  value: string | null,
  availability: Metric["availability"],
  reason: Metric["reason"],
  sourceField: string | null,
): Metric {
  return { name, value, availability, reason, sourceField };
}

/** The IDs of all posts of a window, read in pages of at most two. */
export async function idsInPages(
  adapter: ProviderAdapter,
  read: () => ProviderSession,
  window: ListRequest,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await adapter.listContent(read(), { ...window, cursor, maxItems: 2 });
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...idsOf(page.items));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return seen;
}

/** Reads on while the provider does not find a position of the list. `tries` counts the calls. */
export async function untilGivenUp(adapter: ProviderAdapter, read: () => ProviderSession, window: ListRequest) {
  let page = await adapter.listContent(read(), window);
  let tries = 1;
  for (; page.interruption !== undefined; tries += 1) {
    expect(page.interruption.kind).toBe("unavailable");
    page = await adapter.listContent(read(), { ...window, cursor: page.nextCursor });
  }
  return { tries, end: page };
}

export const AUGUST: ListRequest = {
  publishedAfter: new Date("2026-08-01T00:00:00Z"),
  publishedBefore: new Date("2026-09-01T00:00:00Z"),
  cursor: null,
  maxItems: 100,
  withMetrics: true,
};
