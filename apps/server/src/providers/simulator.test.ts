import { CAPABILITIES, type Capability, METRIC_NAMES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { isLookupTarget, parseLookupUrl } from "@social-connect/domain";
import { describe, expect, it } from "vitest";
import type { ContentObservation, ProviderErrorKind } from "./contract.ts";
import { providerAdapter } from "./registry/registry.ts";
import { failureOf, idsOf } from "./testing/replay.ts";
import {
  access,
  type Connected,
  connect,
  DAY,
  exchange,
  lastDays,
  NOW,
  ordinaryAccount,
  useSimulator,
  walk,
} from "./testing/simulated.ts";

/** The same guarantees for all adapters, over HTTP, against the simulator's wire profiles. */

useSimulator();

/** An id of the same form, which no post has. */
const unknownId = (id = "") => `${id.slice(0, -1)}${id.endsWith("1") ? "2" : "1"}`;

describe.each(SOCIAL_PROVIDERS)("%s", (provider) => {
  it("consents, reads the profile, posts and metrics, renews and revokes", async () => {
    const connected = await connect(provider, ordinaryAccount(provider));
    const { adapter, registration, session, tokens } = connected;
    expect(tokens.grantedCapabilities).toEqual(CAPABILITIES);
    expect(tokens.accessTokenExpiresAt?.getTime()).toBeGreaterThan(NOW.getTime());
    const account = await adapter.readAccount(session);
    expect(account.displayName).not.toBeNull();
    expect(account.handle).not.toBeNull();

    const request = lastDays(60);
    const items = await walk(connected, request);
    expect(items.length).toBeGreaterThan(20);
    expect(new Set(idsOf(items)).size).toBe(items.length);
    for (const item of items) {
      expect(item.metrics.map((metric) => metric.name)).toEqual(METRIC_NAMES);
      for (const metric of item.metrics) expect(metric.value === null).toBe(metric.availability !== "AVAILABLE");
      if (item.publishedAt === null) {
        expect(item.reason).toBe("DELETED_AT_PROVIDER");
      } else {
        expect(item.publishedAt >= request.publishedAfter && item.publishedAt < request.publishedBefore).toBe(true);
      }
      expect(item.canonicalUrl ?? "").not.toContain("utm_");
    }

    const available = items
      .filter((item) => item.availability === "AVAILABLE")
      .slice(0, adapter.traits.readBatchSize - 1);
    const ids = [...idsOf(available), unknownId(available[0]?.providerContentId)];
    const { items: reread } = await adapter.readContent(session, { providerContentIds: ids, withMetrics: false });
    expect(idsOf(reread).sort()).toEqual(idsOf(available).sort());

    if (adapter.traits.canRevoke) {
      const renewed = await adapter.refreshTokens(registration, tokens);
      expect(renewed.accessToken).not.toBe(tokens.accessToken);
      const refreshToken = renewed.refreshToken ?? tokens.refreshToken;
      await adapter.revoke?.(registration, { ...tokens, ...renewed, refreshToken });
      expect((await failureOf(adapter.readAccount(session))).kind).toBe("access_expired");
      const again = adapter.revoke?.(registration, tokens) ?? expect.fail("cannot revoke");
      expect((await failureOf(again)).kind).toBe("grant_gone");
    }
  });

  it("finds its own post by a URL's id, and no other", async () => {
    const { adapter, session } = await connect(provider, ordinaryAccount(provider));
    const page = await adapter.listContent(session, lastDays(60, { maxItems: 5, withMetrics: false }));
    const post = page.items.find((item) => item.availability === "AVAILABLE") ?? expect.fail("no post");
    const target = parseLookupUrl(post.canonicalUrl ?? "", provider);
    if (!isLookupTarget(target)) return expect.fail(target.message);
    const found = await adapter.lookupContent(session, { target, withMetrics: true });
    expect(found).toMatchObject({ outcome: "found", item: { providerContentId: post.providerContentId } });
    const unknown = { ...target, value: "11111111111" };
    const other = await adapter.lookupContent(session, { target: unknown, withMetrics: true });
    // The response of PROVIDER_B has no cause.
    expect(other).toEqual({ outcome: provider === "PROVIDER_B" ? "unproven" : "not-found" });
  });

  it("returns the same posts in pages of any size", async () => {
    const connected = await connect(provider, "thousand-posts");
    const request = lastDays(20, { withMetrics: false });
    const whole = idsOf(await walk(connected, request));
    expect(whole.length).toBeGreaterThan(200);
    expect(idsOf(await walk(connected, { ...request, maxItems: 7 }))).toEqual(whole);
    // A window in the past, after newer pages.
    const past = { ...request, publishedBefore: new Date(NOW.getTime() - 10 * DAY) };
    const inPast = idsOf(await walk(connected, past));
    expect(inPast.length).toBeGreaterThan(100);
    expect(whole.slice(-inPast.length)).toEqual(inPast);
  });

  it("reads an account without posts as empty", async () => {
    expect(await walk(await connect(provider, "empty"), lastDays(90))).toEqual([]);
  });

  it("preserves strings in any script, and counts", async () => {
    const items = await walk(await connect(provider, "hostile-text"), lastDays(90));
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(`${item.title}${item.description}`).not.toContain("\0");
    const values = items.flatMap((item) =>
      item.metrics.flatMap((metric) => (metric.value === null ? [] : [metric.value])),
    );
    for (const value of values) expect(value).toMatch(/^\d+$/);
  });

  const FAILING: [string, ProviderErrorKind][] = [
    ["rate-limited", "rate_limited"],
    ["rate-limited-forever", "rate_limited"],
    ["down", "unavailable"],
    ["flaky-5xx", "unavailable"],
    ["malformed", "unavailable"],
    ["cut-body", "unavailable"],
    ["other-shape", "unavailable"],
    ["huge-body", "unavailable"],
  ];

  it.each(FAILING)("maps the failure of %s %s", async (account, kind) => {
    const { adapter, session } = await connect(provider, account);
    expect((await failureOf(adapter.listContent(session, lastDays(30)))).kind).toBe(kind);
  });

  it("ends a body that stalls at the deadline", async () => {
    const { adapter, session } = await connect(provider, "stalled-body");
    const impatient = { ...session, registration: access(provider, 300) };
    expect((await failureOf(adapter.listContent(impatient, lastDays(30)))).kind).toBe("unavailable");
  });

  it("detects a removed app, at the latest on renewal", async () => {
    const { adapter, session, registration, tokens } = await connect(provider, "removed-app");
    const first = await failureOf(adapter.listContent(session, lastDays(30)));
    expect(["access_expired", "grant_gone"]).toContain(first.kind);
    const last = first.kind === "grant_gone" ? first : await failureOf(adapter.refreshTokens(registration, tokens));
    expect(last.kind).toBe("grant_gone");
  });

  it.each([
    ["exchange-refused", "rejected"],
    ["exchange-5xx", "unavailable"],
    ["deny", "rejected"],
    ["provider-error", "rejected"],
  ] as const)("does not connect %s", async (account, kind) => {
    expect((await failureOf(exchange(provider, account))).kind).toBe(kind);
  });

  it("grants nothing that the user did not grant", async () => {
    expect((await exchange(provider, "no-scopes")).tokens.grantedCapabilities).toEqual([]);
  });
});

describe("differences", () => {
  const metric = (item: ContentObservation | undefined, name: string) =>
    item?.metrics.find((each) => each.name === name);

  it.each([
    ["PROVIDER_A", { kind: "access_expired", appRemoved: false }],
    ["PROVIDER_B", { kind: "access_expired", appRemoved: false }],
    ["PROVIDER_C", { kind: "grant_gone", appRemoved: true }],
  ] as const)("%s reports a removed app to the next read", async (provider, failure) => {
    const { adapter, session } = await connect(provider, "removed-app");
    expect(await failureOf(adapter.listContent(session, lastDays(30)))).toMatchObject(failure);
  });

  it("PROVIDER_A sends counts as strings, which can exceed a double", async () => {
    const items = await walk(await connect("PROVIDER_A", "hostile-text"), lastDays(90));
    const values = items.flatMap((item) =>
      item.metrics.flatMap(({ value }) => (value === null ? [] : [BigInt(value)])),
    );
    expect(values.some((value) => value > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
  });

  it.each(["PROVIDER_B", "PROVIDER_C"] as const)("%s grants a part of the requested scopes", async (provider) => {
    const granted = (await exchange(provider, "partial-scopes")).tokens.grantedCapabilities ?? [];
    const expected: Capability[] =
      provider === "PROVIDER_B" ? ["PROFILE"] : ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP"];
    expect(granted).toEqual(expected);
  });

  it.each(["PROVIDER_A", "PROVIDER_C"] as const)("%s hides likes by omitting them", async (provider) => {
    const items = await walk(await connect(provider, "hidden-likes"), lastDays(40));
    const readable = items.filter((item) => item.availability === "AVAILABLE");
    expect(readable.length).toBeGreaterThan(0);
    for (const item of readable) {
      const hidden = { value: null, availability: "UNAVAILABLE", reason: "METRIC_HIDDEN" };
      expect(metric(item, "LIKES")).toMatchObject(hidden);
    }
    // Control: views are not hidden.
    expect(readable.some((item) => metric(item, "VIEWS")?.availability === "AVAILABLE")).toBe(true);
  });

  it.each(SOCIAL_PROVIDERS)("%s omits numbers that it supports, and each has a reason", async (provider) => {
    const items = await walk(await connect(provider, "missing-metrics"), lastDays(40));
    const views = items.flatMap((item) => metric(item, "VIEWS") ?? []);
    const missing = views.filter(({ availability }) => availability === "UNAVAILABLE");
    expect(missing.length).toBeGreaterThan(0);
    for (const each of missing) expect([each.value, each.reason]).toEqual([null, "METRIC_NOT_GIVEN"]);
    for (const each of items.flatMap((item) => item.metrics)) expect(each.value === null).toBe(each.reason !== null);
    // Control: unsupported metrics stay unsupported.
    const shares = items.map((item) => metric(item, "SHARES")?.reason);
    const { metrics } = providerAdapter(provider).traits;
    expect(shares.includes("METRIC_NOT_OFFERED")).toBe(metrics.SHARES === "UNSUPPORTED");
  });

  it("PROVIDER_C has accounts without shares", async () => {
    const items = await walk(await connect("PROVIDER_C", "no-shares"), lastDays(40));
    const reasons = new Set(
      items.filter((item) => metric(item, "VIEWS")?.value).map((item) => metric(item, "SHARES")?.availability),
    );
    expect([...reasons]).toEqual(["UNSUPPORTED"]);
  });

  it.each(["flat-token", "array-profile"])(
    "PROVIDER_C's other response format %s names the same account",
    async (account) => {
      const { session, adapter } = await connect("PROVIDER_C", account);
      expect(session.providerAccountId).toMatch(/^\d{17}$/);
      expect(await adapter.readAccount(session)).toMatchObject({ providerAccountId: session.providerAccountId });
    },
  );

  it("PROVIDER_A rejects a user without a channel", async () => {
    expect((await failureOf(connect("PROVIDER_A", "no-channel"))).kind).toBe("account_unreadable");
  });

  it("PROVIDER_A reads a post that was deleted or made private after it was read", async () => {
    for (const [account, reason] of [
      ["deleted-post", "DELETED_AT_PROVIDER"],
      ["private-post", "PRIVATE_AT_PROVIDER"],
    ] as const) {
      const connected = await connect("PROVIDER_A", account);
      const newest = (await walk(connected, lastDays(30))).find((item) => item.availability === "AVAILABLE");
      const again = await walk(connected, lastDays(30));
      const found = again.find((item) => item.providerContentId === newest?.providerContentId);
      expect(found).toMatchObject({ availability: "UNAVAILABLE", reason });
    }
  });

  it.each(["PROVIDER_B", "PROVIDER_C"] as const)(
    "%s no longer returns a post that was deleted after it was read",
    async (provider) => {
      const connected = await connect(provider, "deleted-post");
      const [newest] = await walk(connected, lastDays(30));
      const ids = [newest?.providerContentId ?? expect.fail("no post")];
      expect(idsOf(await walk(connected, lastDays(30)))).not.toContain(ids[0]);
      const request = { providerContentIds: ids, withMetrics: false };
      const read = await connected.adapter.readContent(connected.session, request);
      expect(read).toMatchObject({ items: [], unproven: ids });
    },
  );

  it.each(["PROVIDER_A", "PROVIDER_B"] as const)(
    "%s revokes a grant when it can, and reports when it cannot",
    async (provider) => {
      const flaky = await connect(provider, "revoke-fails-twice");
      const give = ({ adapter, registration, tokens }: Connected) =>
        adapter.revoke?.(registration, tokens) ?? expect.fail("cannot revoke");
      expect((await failureOf(give(flaky))).kind).toBe("unavailable");
      expect((await failureOf(give(flaky))).kind).toBe("unavailable");
      await give(flaky);
      expect((await failureOf(give(await connect(provider, "revoke-rejected")))).kind).toBe("rejected");
    },
  );

  it("PROVIDER_B's refresh token can be used once, and reusing it ends the grant", async () => {
    const { adapter, registration, tokens } = await connect("PROVIDER_B", "rotating-refresh");
    const renewed = await adapter.refreshTokens(registration, tokens);
    expect(renewed.refreshToken).not.toBeNull();
    expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
    expect((await failureOf(adapter.refreshTokens(registration, tokens))).kind).toBe("grant_gone");
  });
});
