import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, SECOND_MS } from "../shared/clock.ts";
import { PROVIDER_KEYS, type ProviderKey } from "../shared/providerKeys.ts";
import { type Connected, requestInit, startTestSimulator, type TestResponse } from "../testing/testSimulator.ts";
import type { ExpectedResponse } from "../testing/testWire.ts";
import { TEST_WIRES } from "../testing/testWires.ts";
import { createCatalogue } from "./catalogue.ts";
import { SCRIPTS } from "./scripts.ts";

const simulator = await startTestSimulator();

beforeEach(() => simulator.control("POST", "/reset"));
afterAll(() => simulator.close());

/** A content call that every account can make. */
function list({ send }: Connected, provider: ProviderKey, account: string): Promise<TestResponse> {
  const accountId = createCatalogue().byName(provider, account)?.accountId ?? expect.fail(`no account ${account}`);
  return send(TEST_WIRES[provider].list(accountId));
}

/** The statuses of several calls, one after the other. */
async function statusesOf(calls: number, call: () => Promise<TestResponse>): Promise<number[]> {
  const statuses: number[] = [];
  for (let made = 0; made < calls; made += 1) statuses.push((await call()).status);
  return statuses;
}

function readProfile({ get }: Connected, provider: ProviderKey): Promise<TestResponse> {
  return get(TEST_WIRES[provider].profilePath);
}

/** A content call, whose response the caller reads. */
function fetchContent(provider: ProviderKey, { accessToken }: Connected): Promise<Response> {
  const { path, body } = TEST_WIRES[provider].anyContent;
  return fetch(simulator.registration(provider).addresses.api + path, requestInit(accessToken, body));
}

function expectResponse(response: TestResponse, { status, values }: ExpectedResponse): void {
  const found = Object.keys(values).map((path) => [path, response.at(path)]);
  expect([response.status, Object.fromEntries(found)]).toEqual([status, values]);
}

describe.each(PROVIDER_KEYS)("at %s", (provider) => {
  test("deny returns access_denied for every decision", async () => {
    const { callback } = await simulator.consent(provider, { account: "deny" });
    expect(callback.searchParams.get("error")).toBe("access_denied");
    expect(callback.searchParams.get("state")).toBe("the-state");
    expect(callback.searchParams.has("code")).toBe(false);
  });

  test("provider-error returns server_error", async () => {
    const { callback } = await simulator.consent(provider, { account: "provider-error" });
    expect(callback.searchParams.get("error")).toBe("server_error");
  });

  test("no-scopes returns a code that grants no capability", async () => {
    const response = await simulator.exchange(await simulator.consent(provider, { account: "no-scopes" }));
    const scope = response.at("data.0.permissions") ?? response.at("scope");
    expect([response.status, scope]).toEqual([200, TEST_WIRES[provider].leastScopes]);
  });

  test("exchange-refused and exchange-5xx always fail at the token endpoint", async () => {
    const refused = await simulator.consent(provider, { account: "exchange-refused" });
    const unavailable = await simulator.consent(provider, { account: "exchange-5xx" });
    expect(await statusesOf(2, () => simulator.exchange(refused))).toEqual([400, 400]);
    expect(await statusesOf(2, () => simulator.exchange(unavailable))).toEqual([503, 503]);
  });

  test("expired-refresh works for 30 seconds only", async () => {
    const account = await simulator.connect(provider, "expired-refresh");
    expect((await readProfile(account, provider)).status).toBe(200);
    simulator.clock.advance(30 * SECOND_MS);
    expect((await readProfile(account, provider)).status).toBeGreaterThanOrEqual(400);
    const { renewalUrl } = TEST_WIRES[provider];
    const token = renewalUrl === undefined ? account.refreshToken : account.accessToken;
    expect((await simulator.refresh(provider, token)).status).toBe(400);
  });

  test("rate-limited is rejected twice and then recovers", async () => {
    const account = await simulator.connect(provider, "rate-limited");
    const limited = TEST_WIRES[provider].rateLimitStatus;
    const statuses = await statusesOf(3, () => list(account, provider, "rate-limited"));
    expect(statuses).toEqual([limited, limited, 200]);
  });

  test("rate-limited-forever never recovers, but its profile is readable", async () => {
    const account = await simulator.connect(provider, "rate-limited-forever");
    for (let call = 0; call < 5; call += 1)
      expect([403, 429]).toContain((await list(account, provider, "rate-limited-forever")).status);
    expect((await readProfile(account, provider)).status).toBe(200);
  });

  test("flaky-5xx fails three times per grant and then recovers", async () => {
    for (let grant = 0; grant < 2; grant += 1) {
      const account = await simulator.connect(provider, "flaky-5xx");
      const statuses = await statusesOf(4, () => list(account, provider, "flaky-5xx"));
      expect(statuses).toEqual([500, 502, 503, 200]);
    }
  });

  test("down fails every content call", async () => {
    const account = await simulator.connect(provider, "down");
    expect((await list(account, provider, "down")).status).toBe(503);
    expect((await readProfile(account, provider)).status).toBe(200);
  });

  test("removed-app and grant-gone-after end the grant for every endpoint", async () => {
    const removed = await simulator.connect(provider, "removed-app");
    expect((await readProfile(removed, provider)).status).toBe(200);
    const first = await list(removed, provider, "removed-app");
    const { renewalUrl, removedApp, changedPassword } = TEST_WIRES[provider];
    expectResponse(first, removedApp);
    if (renewalUrl === undefined)
      expect((await simulator.refresh(provider, removed.refreshToken)).at("error")).toBe("invalid_grant");
    expect((await readProfile(removed, provider)).status).toBe(first.status);

    const undisturbed = await simulator.connect(provider, "grant-gone-after");
    const later = await simulator.connect(provider, "grant-gone-after");
    for (let call = 0; call < 8; call += 1) expect((await list(later, provider, "grant-gone-after")).status).toBe(200);
    const gone = await list(later, provider, "grant-gone-after");
    expectResponse(gone, changedPassword);
    expect((await readProfile(undisturbed, provider)).status).toBe(200);
  });

  test("malformed, other-shape, cut-body and stalled-body return unreadable responses", async () => {
    const listOf = async (name: string) => list(await simulator.connect(provider, name), provider, name);
    const malformed = await listOf("malformed");
    expect([malformed.status, malformed.text.startsWith("<!doctype html>")]).toEqual([200, true]);
    expect((await listOf("other-shape")).at("data")).toBe("none");
    await expect(listOf("cut-body")).rejects.toThrow();
    const stalled = await simulator.connect(provider, "stalled-body");
    const response = await fetchContent(provider, stalled);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  });

  test("huge-body streams 64 MiB", async () => {
    const response = await fetchContent(provider, await simulator.connect(provider, "huge-body"));
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > 2 * 1024 * 1024) break;
    }
    expect(bytes).toBeGreaterThan(2 * 1024 * 1024);
  });

  test("empty has no posts, thousand-posts has a thousand within 90 days", async () => {
    const empty = await list(await simulator.connect(provider, "empty"), provider, "empty");
    expectResponse(empty, TEST_WIRES[provider].emptyList);
    const since = simulator.clock.now().getTime() - 90 * DAY_MS;
    const posts = await simulator.posts(provider, "thousand-posts");
    const recent = posts.filter((post) => Date.parse(post.publishedAt) > since);
    expect(recent.length).toBeGreaterThanOrEqual(1_000);
  });

  test.each(["deleted-post", "private-post"])(
    "%s removes the newest post once its details were read, but not for a new grant",
    async (name) => {
      const [newest] = (await simulator.posts(provider, name, "public")).map((post) => post.id);
      if (newest === undefined) expect.fail("the account has no public post");
      const details = ({ send }: Connected) => send(TEST_WIRES[provider].readPost(newest));
      const seen = (response: TestResponse) =>
        response.text.includes(newest) && response.status === 200 && !response.text.includes('"private"');
      for (let grant = 0; grant < 2; grant += 1) {
        const account = await simulator.connect(provider, name);
        expect(seen(await details(account))).toBe(true);
        expect(seen(await details(account))).toBe(false);
      }
    },
  );
});

const REVOKING = SCRIPTS.find(({ name }) => name === "revoke-rejected")?.providers ?? [];

describe.each(REVOKING)("revocation at %s", (provider) => {
  test("revoke-fails-twice succeeds at the third attempt", async () => {
    const { revoke } = await simulator.connect(provider, "revoke-fails-twice");
    expect(await statusesOf(3, () => revoke())).toEqual([503, 503, 200]);
  });

  test("revoke-rejected is always rejected, and the grant stays active", async () => {
    const account = await simulator.connect(provider, "revoke-rejected");
    for (let call = 0; call < 3; call += 1) {
      const response = await account.revoke();
      expect(response.status).toBeLessThan(500);
      expect(["invalid_request", "access_denied"]).toContain(response.at("error"));
    }
    expect((await readProfile(account, provider)).status).toBe(200);
  });
});

test.each([
  ["provider-a", "application-without-capability", "error.details.0.reason", "SERVICE_DISABLED"],
  ["provider-b", "application-without-capability", "error.code", "scope_permission_missed"],
  ["provider-c", "application-without-capability", "error.code", 3],
  ["provider-c", "application-without-permission", "error.code", 10],
] as const)("at %s, %s refuses lists with %s %s", async (provider, name, path, value) => {
  expect((await list(await simulator.connect(provider, name), provider, name)).at(path)).toBe(value);
});

test.each([
  ["provider-b", { "data.videos": [] }],
  ["provider-c", { "error.code": 100, "error.error_subcode": 33 }],
] as const)("at %s, posts-hidden-by-id are listed", async (provider, values) => {
  const account = await simulator.connect(provider, "posts-hidden-by-id");
  const [newest] = await simulator.posts(provider, "posts-hidden-by-id", "public");
  expect((await list(account, provider, "posts-hidden-by-id")).text).toContain(newest?.id);
  const byId = await account.send(TEST_WIRES[provider].readPost(newest?.id ?? ""));
  expectResponse(byId, { status: byId.status, values });
});

test("hostile-text returns special characters in valid JSON", async () => {
  const account = await simulator.connect("provider-c", "hostile-text");
  const captions = (await account.get("/me/media?fields=caption&limit=100")).at("data.*.caption") as string[];
  for (const odd of ["\u0000", "<script>", "\ud83d]", "\u202e"])
    expect(captions.some((caption) => caption.includes(odd))).toBe(true);
});

test("every script has an account at each of its providers, with ids in the provider's format", () => {
  const catalogue = createCatalogue();
  const accounts = catalogue.all();
  for (const account of accounts) {
    expect(account.accountId).toMatch(TEST_WIRES[account.provider].accountIdForm);
  }
  expect(new Set(accounts.map((account) => account.accountId)).size).toBe(accounts.length);
  const others = accounts.filter((account) => !account.tester).map((account) => account.name);
  expect(others).toEqual(PROVIDER_KEYS.map(() => "not-a-tester"));
});
