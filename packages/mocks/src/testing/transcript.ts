import { type AdminOperationName, adminDocumentOf, documentOf, type OperationName } from "@social-connect/conformance";
import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";

export interface Reached {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
}

/** Headers of the transport. */
const TRANSPORT_HEADERS = ["date", "connection", "keep-alive", "content-length", "transfer-encoding"];
const ROUNDS = 6;

type Variables = Readonly<Record<string, unknown>>;

interface Application {
  readonly id: string;
  readonly key: string;
  readonly returnUrls: readonly string[];
  readonly identityReturnUrls: readonly string[];
  readonly webOrigins: readonly string[];
}

interface Page {
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
}

/** Sends requests as a caller, an admin, a browser and a test, and records each response. */
export class Transcript {
  readonly #mock: Reached;
  readonly lines: string[] = [];
  readonly #scope = { tenantKey: "acme", externalSubjectId: "user-1" };

  constructor(mock: Reached) {
    this.#mock = mock;
  }

  /** The transcript with a placeholder for the base URL, which depends on the transport. */
  get text(): string {
    const { baseUrl } = this.#mock;
    return this.lines.join("\n").replaceAll(baseUrl, "{base}").replaceAll(encodeURIComponent(baseUrl), "{base}");
  }

  async live(): Promise<void> {
    const application = (await this.control("GET", "application")) as Application;
    const fault = { code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 3 };
    await this.control("POST", "faults", { operation: "*", probability: 0.15, fault });
    await this.control("POST", "faults", { operation: "content", probability: 0.2, fault: { malformed: "truncated" } });
    await this.control("POST", "faults", { operation: "requestRefresh", probability: 0.3, fault: { drop: "after" } });
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const provider of SOCIAL_PROVIDERS) await this.#connect(application, provider, `channel-${round}`);
      await this.#pages(application);
      await this.#identity(application);
      await this.control("POST", "clock/advance", { by: "7h" });
    }
  }

  /** Disconnects accounts, and reads as an admin. */
  async leave(): Promise<void> {
    const { key } = (await this.control("GET", "application")) as Application;
    const scope = this.#scope;
    for (const { id } of (await this.control("GET", "connections")) as { id: string }[]) {
      await this.ask(key, "disconnectConnection", { scope, connectionId: id });
      await this.control("POST", "step");
      for (const job of (await this.control("GET", `jobs?connectionId=${id}`)) as { id: string }[]) {
        await this.ask(key, "syncJob", { scope, connectionId: id, id: job.id });
      }
    }
    const { writeKey } = (await this.control("GET", "admin")) as { writeKey: string };
    for (const slug of ["first", "second", "first"]) {
      const input = {
        ...{ slug, displayName: slug, tenantKeys: ["t"], providers: ["PROVIDER_A"], capabilities: ["PROFILE"] },
        ...{
          webOrigins: [`https://${slug}.test`],
          returnUrls: [`https://${slug}.test/back`],
          confirmedNoOnwardRedirect: true,
        },
      };
      await this.#askAdmin(writeKey, "createClient", { input });
    }
    await this.#askAdmin(writeKey, "adminAuditEntries", { first: 20 });
    await this.control("POST", "settle");
    await this.control("GET", "calls");
    await this.control("GET", "snapshot");
  }

  ask<Told>(key: string, operation: OperationName, variables: Variables): Promise<Told | null> {
    return this.#post(key, "/graphql", documentOf(operation), variables);
  }

  #askAdmin(key: string, operation: AdminOperationName, variables: Variables): Promise<unknown> {
    return this.#post(key, "/api/admin/graphql", adminDocumentOf(operation), variables);
  }

  async #post<Told>(key: string, path: string, query: string, variables: Variables): Promise<Told | null> {
    const text = await this.#send("POST", path, {
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
    });
    try {
      const { data } = JSON.parse(text) as { data: Readonly<Record<string, Told>> | null };
      return Object.values(data ?? {})[0] ?? null;
    } catch {
      return null;
    }
  }

  async control(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    return JSON.parse(
      await this.#send(method, `/__mock/${path}`, body === undefined ? {} : { body: JSON.stringify(body) }),
    );
  }

  async #connect(
    { key, returnUrls, webOrigins }: Application,
    provider: SocialProvider,
    account: string,
  ): Promise<void> {
    const scope = this.#scope;
    const capabilities: readonly Capability[] = CAPABILITIES;
    const input = { scope, provider, capabilities, returnUrl: returnUrls[0] };
    const session = await this.ask<{ readonly id: string; readonly launchToken: string }>(key, "createConnectSession", {
      input,
    });
    if (session === null) return;
    const { id, launchToken } = session;
    await this.#send("POST", "/api/connect/redeem", {
      headers: { origin: webOrigins[0] ?? "", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ launchToken }).toString(),
    });
    const { connectionId } = (await this.control("POST", `connect/${id}/complete`, { account })) as {
      connectionId: string;
    };
    await this.ask(key, "connectSessionResult", { scope, id });
    await this.control("POST", "settle");
    await this.control("POST", `connections/${connectionId}/posts`, { title: "One more" });
    const window = { publishedAfter: "2026-05-20T00:00:00Z", publishedBefore: "2026-06-15T12:00:00Z" };
    await this.ask(key, "requestRefresh", { scope, connectionId, window: { ...window, maxItems: 10 } });
    await this.control("POST", "settle");
    await this.ask(key, "content", { scope, connectionId, window: { ...window, first: 5 } });
  }

  async #pages({ key }: Application): Promise<void> {
    let after: string | null = null;
    do {
      const asked: Variables = { scope: this.#scope, first: 2, after };
      const page: Page | null = await this.ask<Page>(key, "connections", asked);
      after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
  }

  async #identity({ key, identityReturnUrls }: Application): Promise<void> {
    const { tenantKey } = this.#scope;
    const input = { tenantKey, returnUrl: identityReturnUrls[0] };
    const session = await this.ask<{ readonly id: string; readonly resultProof: string }>(
      key,
      "createIdpIdentitySession",
      { input },
    );
    if (session === null) return;
    const { id, resultProof } = session;
    await this.control("POST", `identity/${id}/sign-in`, { person: "ada" });
    await this.ask(key, "redeemIdpIdentityResult", { id, tenantKey, resultProof });
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
