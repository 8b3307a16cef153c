import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type AdminOperationName, adminDocumentOf, documentOf, type OperationName } from "@social-connect/conformance";
import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { sampled } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import { TRANSPORTS } from "./targets.ts";

interface Reached {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
}

/** Headers of the transport. */
const TRANSPORT_HEADERS = ["date", "connection", "keep-alive", "content-length", "transfer-encoding"];
const SCOPE = { tenantKey: "acme", externalSubjectId: "user-1" };

interface Application {
  readonly key: string;
  readonly returnUrls: readonly string[];
  readonly identityReturnUrls: readonly string[];
  readonly webOrigins: readonly string[];
}

interface Page {
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** Sends requests as a caller, an admin, a browser and a test, and records each response. */
class Transcript {
  readonly #mock: Reached;
  readonly lines: string[] = [];

  constructor(mock: Reached) {
    this.#mock = mock;
  }

  /** The transcript with a placeholder for the base URL, which depends on the transport. */
  get text(): string {
    const { baseUrl } = this.#mock;
    return this.lines.join("\n").replaceAll(baseUrl, "{base}").replaceAll(encodeURIComponent(baseUrl), "{base}");
  }

  async live(): Promise<void> {
    const application = await this.control<Application>("GET", "application");
    const fault = { code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 3 };
    await this.control("POST", "events/endpoints", {});
    await this.control("POST", "events/fail", { times: 5 });
    await this.control("POST", "faults", { operation: "*", probability: 0.15, fault });
    await this.control("POST", "faults", { operation: "content", probability: 0.2, fault: { malformed: "truncated" } });
    await this.control("POST", "faults", { operation: "requestRefresh", probability: 0.3, fault: { drop: "after" } });
    for (let round = 1; round <= 6; round += 1) {
      for (const provider of SOCIAL_PROVIDERS) await this.#connect(application, provider, `channel-${round}`);
      for (let after: string | null = null, more = true; more; ) {
        const page: Page | null = await this.#ask<Page>(application.key, "connections", {
          scope: SCOPE,
          first: 2,
          after,
        });
        ({ endCursor: after, hasNextPage: more } = page?.pageInfo ?? { endCursor: null, hasNextPage: false });
      }
      await this.#identity(application);
      await this.control("POST", "clock/advance", { by: "7h" });
    }
  }

  /** Disconnects accounts, and reads as an admin. */
  async leave(): Promise<void> {
    const { key } = await this.control<Application>("GET", "application");
    for (const { id } of await this.control<{ id: string }[]>("GET", "connections")) {
      await this.#ask(key, "disconnectConnection", { scope: SCOPE, connectionId: id });
      await this.control("POST", "step");
      for (const job of await this.control<{ id: string }[]>("GET", `jobs?connectionId=${id}`)) {
        await this.#ask(key, "syncJob", { scope: SCOPE, connectionId: id, id: job.id });
      }
    }
    const { writeKey } = await this.control<{ writeKey: string }>("GET", "admin");
    const askAdmin = (operation: AdminOperationName, variables: object) =>
      this.#post(writeKey, "/api/admin/graphql", adminDocumentOf(operation), variables);
    for (const slug of ["first", "second", "first"]) {
      const lists = { tenantKeys: ["t"], providers: ["PROVIDER_A"], capabilities: ["PROFILE"] };
      const urls = { webOrigins: [`https://${slug}.test`], returnUrls: [`https://${slug}.test/back`] };
      const input = { slug, displayName: slug, ...lists, ...urls, confirmedNoOnwardRedirect: true };
      await askAdmin("createClient", { input });
    }
    await askAdmin("adminAuditEntries", { first: 20 });
    await this.control("POST", "settle");
    await this.control("GET", "calls");
    await this.control("GET", "snapshot");
  }

  async control<Told>(method: "GET" | "POST", path: string, body?: object): Promise<Told> {
    return JSON.parse(await this.#send(method, `/__mock/${path}`, body ? { body: JSON.stringify(body) } : {}));
  }

  #ask<Told>(key: string, operation: OperationName, variables: object): Promise<Told | null> {
    return this.#post(key, "/graphql", documentOf(operation), variables);
  }

  async #post<Told>(key: string, path: string, query: string, variables: object): Promise<Told | null> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const text = await this.#send("POST", path, { headers, body: JSON.stringify({ query, variables }) });
    try {
      return Object.values<Told>(JSON.parse(text).data ?? {})[0] ?? null;
    } catch {
      return null;
    }
  }

  async #connect({ key, returnUrls, webOrigins }: Application, provider: SocialProvider, account: string) {
    const input = { scope: SCOPE, provider, capabilities: CAPABILITIES, returnUrl: returnUrls[0] };
    const session = await this.#ask<{ id: string; launchToken: string }>(key, "createConnectSession", { input });
    if (session === null) return;
    const { id, launchToken } = session;
    await this.#send("POST", "/api/connect/redeem", {
      headers: { origin: webOrigins[0] ?? "", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ launchToken }).toString(),
    });
    const path = `connect/${id}/complete`;
    const { connectionId } = await this.control<{ connectionId: string }>("POST", path, { account });
    await this.#ask(key, "connectSessionResult", { scope: SCOPE, id });
    await this.control("POST", "settle");
    await this.control("POST", `connections/${connectionId}/posts`, { title: "One more" });
    const window = { publishedAfter: "2026-05-20T00:00:00Z", publishedBefore: "2026-06-15T12:00:00Z" };
    await this.#ask(key, "requestRefresh", { scope: SCOPE, connectionId, window: { ...window, maxItems: 10 } });
    await this.control("POST", "settle");
    await this.#ask(key, "content", { scope: SCOPE, connectionId, window: { ...window, first: 5 } });
  }

  async #identity({ key, identityReturnUrls }: Application): Promise<void> {
    const { tenantKey } = SCOPE;
    const input = { tenantKey, returnUrl: identityReturnUrls[0] };
    const session = await this.#ask<{ id: string; resultProof: string }>(key, "createIdpIdentitySession", { input });
    if (session === null) return;
    await this.control("POST", `identity/${session.id}/sign-in`, { person: "ada" });
    const { id, resultProof } = session;
    await this.#ask(key, "redeemIdpIdentityResult", { id, tenantKey, resultProof });
  }

  async #send(method: string, path: string, init: RequestInit): Promise<string> {
    const asked = `${method} ${path}`;
    try {
      const answer = await this.#mock.fetch(`${this.#mock.baseUrl}${path}`, { ...init, method, redirect: "manual" });
      const text = await answer.text();
      const headers = [...answer.headers].filter(([name]) => !TRANSPORT_HEADERS.includes(name));
      this.lines.push(`${asked} → ${answer.status} ${JSON.stringify(headers.sort())} ${text}`);
      return text;
    } catch {
      this.lines.push(`${asked} → no answer`);
      return "";
    }
  }
}

const SEED = "again";
const CLI = fileURLToPath(new URL("../cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
/** Plain HTTP like the command, because the name of a cookie depends on it. */
const baseUrl = "http://127.0.0.1:4010";
const NOW = "2026-06-15T12:00:00.000Z";

type WithMock = (seed: string, during: (mock: Reached) => Promise<void>) => Promise<void>;

const inProcess =
  (transport: keyof typeof TRANSPORTS): WithMock =>
  async (seed, during) => {
    const { mock, fetch, close } = await TRANSPORTS[transport]({ seed, baseUrl });
    try {
      await during({ baseUrl: mock.baseUrl, fetch });
    } finally {
      await close();
    }
  };

/** Each way to a mock of a seed, open while something is done with it. */
const WAYS: Readonly<Record<string, WithMock>> = {
  fetch: inProcess("fetch"),
  MSW: inProcess("MSW"),
  "the command, in a separate process": async (seed, during) => {
    const args = [...FLAGS, CLI, "serve", "--port", "0", "--json", "--seed", seed, "--now", NOW, "--clock", "manual"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    try {
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      const told = JSON.parse(line) as { readonly baseUrl: string };
      await during({ baseUrl: told.baseUrl, fetch: globalThis.fetch });
    } finally {
      child.kill();
      await ended;
    }
  },
  HTTP: inProcess("HTTP"),
};

async function transcriptOf(transport: string, seed: string): Promise<Transcript> {
  let transcript: Transcript | undefined;
  await WAYS[transport]?.(seed, async (mock) => {
    transcript = new Transcript(mock);
    await transcript.live();
    await transcript.leave();
  });
  if (transcript === undefined) throw new Error(`unknown transport ${transport}`);
  return transcript;
}

describe("the same seed gives the same bytes", () => {
  test.each(sampled(Object.keys(WAYS), 0, 2))("twice, by %s", async (transport) => {
    const [first, second] = [await transcriptOf(transport, SEED), await transcriptOf(transport, SEED)];
    expect(second.text === first.text, "one text is the other").toBe(true);
    expect(first.text === (await transcriptOf("fetch", SEED)).text, "and of every other transport").toBe(true);
  });

  test("a script that is long, and in which something goes wrong", async () => {
    const { lines, text } = await transcriptOf("fetch", SEED);
    expect(lines.length).toBeGreaterThan(150);
    for (const part of [
      "→ no answer",
      '"code":"UPSTREAM_UNAVAILABLE"',
      '"retryAfterSeconds":3',
      "→ 303",
      '"CONFLICT"',
    ]) {
      expect(text).toContain(part);
    }
  });

  test("different seeds have different ids, tokens and metrics", async () => {
    const [one, other] = [await transcriptOf("fetch", SEED), await transcriptOf("fetch", "another")];
    // Accounts depend on their names, not on the seed.
    const told = ({ text }: Transcript) =>
      new Set(
        text.replaceAll(/providerAccountId\\?":\\?"[^"]*"/g, "").match(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}/g),
      );
    const others = told(other);
    expect(told(one).size).toBeGreaterThan(200);
    expect([...told(one)].filter((value) => others.has(value))).toEqual([]);
  });

  test.each(["fetch", "HTTP"])("again after restoring a snapshot, by %s", async (transport) => {
    await WAYS[transport]?.(SEED, async (mock) => {
      const before = new Transcript(mock);
      await before.live();
      const { snapshot } = await before.control<{ snapshot: string }>("GET", "snapshot");
      const [first, second] = [new Transcript(mock), new Transcript(mock)];
      await first.leave();
      await first.control("POST", "clock/advance", { by: "40d" });
      await second.control("POST", "restore", { snapshot });
      second.lines.length = 0;
      await second.leave();
      await second.control("POST", "clock/advance", { by: "40d" });
      expect(second.text === first.text).toBe(true);
    });
  });
});
