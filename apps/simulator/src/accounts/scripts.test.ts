import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SECOND_MS } from "../shared/clock.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";
import type { Connected, TestResponse, TestSimulator } from "../testing/testSimulator.ts";
import { startTestSimulator } from "../testing/testSimulator.ts";
import { createCatalogue } from "./catalogue.ts";

let simulator: TestSimulator;

beforeAll(async () => {
  simulator = await startTestSimulator();
});
beforeEach(() => simulator.control("POST", "/reset"));
afterAll(() => simulator.close());

/** A content call that every account can make. */
function list({ get, post }: Connected, provider: ProviderKey, account: string): Promise<TestResponse> {
  const channelId = createCatalogue().byName("provider-a", account)?.accountId ?? "";
  switch (provider) {
    case "provider-a":
      return get(`/playlistItems?part=snippet,status&maxResults=50&playlistId=UU${channelId.slice(2)}`);
    case "provider-b":
      return post("/video/list/?fields=id", { max_count: 20 });
    case "provider-c":
      return get("/me/media?fields=id&limit=50");
  }
}

function readProfile({ get }: Connected, provider: ProviderKey): Promise<TestResponse> {
  const paths = {
    "provider-a": "/channels?part=id&mine=true",
    "provider-b": "/user/info/?fields=open_id",
    "provider-c": "/me?fields=id",
  };
  return get(paths[provider]);
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
    expect([response.status, scope]).toEqual([200, provider === "provider-b" ? "user.info.basic" : ""]);
  });

  test("exchange-refused and exchange-5xx always fail at the token endpoint", async () => {
    const refused = await simulator.consent(provider, { account: "exchange-refused" });
    const unavailable = await simulator.consent(provider, { account: "exchange-5xx" });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await simulator.exchange(refused)).status).toBe(400);
      expect((await simulator.exchange(unavailable)).status).toBe(503);
    }
  });

  test("expired-refresh works for 30 seconds only", async () => {
    const account = await simulator.connect(provider, "expired-refresh");
    expect((await readProfile(account, provider)).status).toBe(200);
    simulator.clock.advance(30 * SECOND_MS);
    expect((await readProfile(account, provider)).status).toBeGreaterThanOrEqual(400);
    const token = provider === "provider-c" ? account.accessToken : account.refreshToken;
    expect((await simulator.refresh(provider, token)).status).toBe(400);
  });

  test("rate-limited is rejected twice and then recovers", async () => {
    const account = await simulator.connect(provider, "rate-limited");
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await list(account, provider, "rate-limited")).status);
    const limited = provider === "provider-c" ? 403 : 429;
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
      const statuses = [];
      for (let call = 0; call < 4; call += 1) statuses.push((await list(account, provider, "flaky-5xx")).status);
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
    expect(first.status).toBe(provider === "provider-c" ? 400 : 401);
    if (provider === "provider-c")
      expect([first.at("error.code"), first.at("error.error_subcode")]).toEqual([190, 458]);
    else expect((await simulator.refresh(provider, removed.refreshToken)).at("error")).toBe("invalid_grant");
    expect((await readProfile(removed, provider)).status).toBe(first.status);

    const undisturbed = await simulator.connect(provider, "grant-gone-after");
    const later = await simulator.connect(provider, "grant-gone-after");
    for (let call = 0; call < 8; call += 1) expect((await list(later, provider, "grant-gone-after")).status).toBe(200);
    const gone = await list(later, provider, "grant-gone-after");
    expect(gone.status).toBe(first.status);
    expect((await readProfile(undisturbed, provider)).status).toBe(200);
    if (provider === "provider-c") expect(gone.at("error.error_subcode")).toBe(460);
  });

  test("malformed, other-shape, cut-body and stalled-body return unreadable responses", async () => {
    const listOf = async (name: string) => list(await simulator.connect(provider, name), provider, name);
    const malformed = await listOf("malformed");
    expect([malformed.status, malformed.text.startsWith("<!doctype html>")]).toEqual([200, true]);
    expect((await listOf("other-shape")).at("data")).toBe("none");
    await expect(listOf("cut-body")).rejects.toThrow();
    const stalled = await simulator.connect(provider, "stalled-body");
    const { api } = simulator.registration(provider).addresses;
    const request =
      provider === "provider-b"
        ? ["/video/list/?fields=id", "POST"]
        : [provider === "provider-a" ? "/videos?part=id&id=x" : "/me/media?fields=id", "GET"];
    const response = await fetch(api + request[0], {
      method: request[1] ?? "GET",
      headers: { authorization: `Bearer ${stalled.accessToken}` },
    });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  });

  test("huge-body streams 64 MiB", async () => {
    const { accessToken } = await simulator.connect(provider, "huge-body");
    const { api } = simulator.registration(provider).addresses;
    const path =
      provider === "provider-a"
        ? "/videos?part=id&id=x"
        : provider === "provider-b"
          ? "/video/list/?fields=id"
          : "/me/media?fields=id";
    const response = await fetch(api + path, {
      method: provider === "provider-b" ? "POST" : "GET",
      headers: { authorization: `Bearer ${accessToken}` },
    });
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > 2 * 1024 * 1024) break;
    }
    expect(bytes).toBeGreaterThan(2 * 1024 * 1024);
  });

  test("empty has no posts, thousand-posts has a thousand within 90 days", async () => {
    const empty = await list(await simulator.connect(provider, "empty"), provider, "empty");
    if (provider === "provider-a")
      expect([empty.status, empty.at("error.errors.0.reason")]).toEqual([404, "playlistNotFound"]);
    else expect(empty.at("data.videos") ?? empty.at("data")).toEqual([]);
    const { posts } = JSON.parse((await simulator.control("GET", `/accounts/${provider}/thousand-posts/posts`)).text);
    const recent = posts.filter(
      (post: { publishedAt: string }) =>
        Date.parse(post.publishedAt) > simulator.clock.now().getTime() - 90 * 86_400_000,
    );
    expect(recent.length).toBeGreaterThanOrEqual(1_000);
  });

  test.each([["deleted-post"], ["private-post"]])(
    "%s removes the newest post once its details were read, but not for a new grant",
    async (name) => {
      const { posts } = JSON.parse((await simulator.control("GET", `/accounts/${provider}/${name}/posts`)).text);
      const newest = posts.find((post: { visibility: string }) => post.visibility === "public").id;
      const details = ({ get, post }: Connected) =>
        provider === "provider-a"
          ? get(`/videos?part=status&id=${newest}`)
          : provider === "provider-b"
            ? post("/video/query/?fields=id", { filters: { video_ids: [newest] } })
            : get(`/${newest}?fields=id`);
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

describe.each(["provider-a", "provider-b"] as const)("revocation at %s", (provider) => {
  test("revoke-fails-twice succeeds at the third attempt", async () => {
    const { revoke } = await simulator.connect(provider, "revoke-fails-twice");
    expect([(await revoke()).status, (await revoke()).status, (await revoke()).status]).toEqual([503, 503, 200]);
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

test("hostile-text returns special characters in valid JSON", async () => {
  const account = await simulator.connect("provider-c", "hostile-text");
  const captions = (await account.get("/me/media?fields=caption&limit=100")).at("data.*.caption") as string[];
  for (const odd of ["\u0000", "<script>", "\ud83d]", "\u202e"])
    expect(captions.some((caption) => caption.includes(odd))).toBe(true);
});

test("every script has an account at each of its providers, with ids in the provider's format", () => {
  const catalogue = createCatalogue();
  const forms = { "provider-a": /^UC[\w-]{22}$/, "provider-b": /^[0-9a-f-]{35,40}$/, "provider-c": /^17841\d{12}$/ };
  for (const account of catalogue.all()) {
    expect(account.accountId).toMatch(forms[account.provider]);
    expect(catalogue.byId(account.provider, account.accountId)).toBe(account);
  }
  expect(new Set(catalogue.all().map((account) => account.accountId)).size).toBe(catalogue.all().length);
  expect(
    catalogue
      .all()
      .filter((account) => !account.tester)
      .map((account) => account.name),
  ).toEqual(["not-a-tester", "not-a-tester", "not-a-tester"]);
});
