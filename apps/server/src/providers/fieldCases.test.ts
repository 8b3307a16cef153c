import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { sampled } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import type { ListPage, ListRequest, ProviderError } from "./contract.ts";
import { failureOf, idsOf, untilGivenUp } from "./testing/replay.ts";
import { type Connected, connect, DAY, lastDays, NOW, useSimulator, walk } from "./testing/simulated.ts";

/** What real providers answer, played by the simulator's scripted accounts. */

useSimulator();

const countedCalls = (connected: Connected) => {
  const { fetch } = connected.session.registration;
  let calls = 0;
  const counted: typeof globalThis.fetch = (...args) => {
    calls += 1;
    return fetch(...args);
  };
  const session = { ...connected.session, registration: { ...connected.session.registration, fetch: counted } };
  return { connected: { ...connected, session }, calls: () => calls };
};

const failure = async (connected: Connected, request: ListRequest = lastDays(7)): Promise<ProviderError> =>
  failureOf(connected.adapter.listContent(connected.session, request));

describe.each(SOCIAL_PROVIDERS)("%s", (provider) => {
  test.each(sampled([1, 2, 3, 7, 19, 20, 21, 49, 50, 100], SOCIAL_PROVIDERS.indexOf(provider), 3))(
    "lists each of 120 posts once, three a second, in pages of at most %i",
    async (maxItems) => {
      const items = await walk(await connect(provider, "burst"), lastDays(3, { maxItems, withMetrics: false }));
      expect(items).toHaveLength(120);
      expect(new Set(idsOf(items)).size).toBe(120);
    },
  );

  test("distinguishes a suspended account from an outage", async () => {
    expect(await failure(await connect(provider, "account-suspended"))).toMatchObject({ kind: "account_unreadable" });
  });

  test("distinguishes a blocked application from a missing permission", async () => {
    expect(await failure(await connect(provider, "application-blocked"))).toMatchObject({
      kind: "application_refused",
    });
  });
});

test.each(SOCIAL_PROVIDERS)("at %s, a missing capability of the application is not the person's", async (provider) => {
  const refused = await failure(await connect(provider, "application-without-capability"));
  expect(refused).toMatchObject({ kind: "application_refused" });
});

test("a permission that the person granted is the application's", async () => {
  const refused = await failure(await connect("PROVIDER_C", "application-without-permission"));
  expect(refused).toMatchObject({ kind: "application_refused" });
});

test.each(["PROVIDER_B", "PROVIDER_C"] as const)(
  "at %s, no response proves that a hidden post is deleted",
  async (provider) => {
    const { adapter, session } = await connect(provider, "posts-hidden-by-id");
    const { items } = await adapter.listContent(session, lastDays(3));
    const ids = idsOf(items);
    expect(ids.length).toBeGreaterThan(0);
    const read = await adapter.readContent(session, { providerContentIds: ids, withMetrics: false });
    expect(read).toEqual({ items: [], unreadable: [], unproven: ids });
  },
);

test.each(SOCIAL_PROVIDERS)("at %s, reads the rest where a field is refused", async (provider) => {
  const connected = await connect(provider, "field-refused");
  const { displayName, handle } = await connected.adapter.readAccount(connected.session);
  expect([displayName, handle]).toEqual([expect.any(String), "field_refused"]);
  const items = await walk(connected, lastDays(10));
  expect(items.length).toBeGreaterThan(5);
});

test.each(SOCIAL_PROVIDERS)("at %s, ends a list that is not found in three calls", async (provider) => {
  const { adapter, session } = await connect(provider, "list-lost");
  const window = lastDays(20, { withMetrics: false });
  const first = await adapter.listContent(session, window);
  const { tries, end } = await untilGivenUp(adapter, () => session, { ...window, cursor: first.nextCursor });
  expect([first.items.length > 0, tries, end.incompleteReason]).toEqual([true, 3, "UPSTREAM_PAGE_LIMIT"]);
});

test("a scan of a week of a channel with 3,000 uploads costs at most 10 calls", async () => {
  const { connected, calls } = countedCalls(await connect("PROVIDER_A", "many-uploads"));
  const items = await walk(connected, lastDays(7));
  expect(items.length).toBeGreaterThan(0);
  expect(calls()).toBeLessThanOrEqual(10);
});

test("a spent daily quota with the code of a short limit waits for midnight", async () => {
  const { retryAfterSeconds } = await failure(await connect("PROVIDER_A", "daily-limit-as-429"));
  // 05:00 in the Pacific time zone.
  expect(retryAfterSeconds).toBe(19 * 3_600);
});

test("one post whose insights fail does not fail the others", async () => {
  const items = await walk(await connect("PROVIDER_C", "broken-insights"), lastDays(30));
  expect(items.length).toBeGreaterThan(5);
  const newest = items.reduce((one, other) => ((one.publishedAt ?? 0) > (other.publishedAt ?? 0) ? one : other));
  expect(newest.metrics[0]).toMatchObject({ name: "VIEWS", availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN" });
  expect(items.filter((item) => item.metrics[0]?.availability === "AVAILABLE").length).toBeGreaterThan(3);
});

test("asks for smaller pages where the provider refuses large ones", async () => {
  const small = await walk(await connect("PROVIDER_C", "small-pages"), lastDays(60, { withMetrics: false }));
  expect(small.length).toBeGreaterThan(25);
});

test.each([
  ["PROVIDER_A", "account-closed"],
  ["PROVIDER_B", "account-closed"],
  ["PROVIDER_A", "account-blocked"],
  ["PROVIDER_C", "not-professional"],
] as const)("at %s, recognizes that %s does not pass", async (provider, account) => {
  expect(await failure(await connect(provider, account))).toMatchObject({ kind: "account_unreadable" });
});

test("a refresh that an organization blocks concerns the account", async () => {
  const { adapter, registration, tokens } = await connect("PROVIDER_A", "refresh-blocked");
  const refused = await failureOf(adapter.refreshTokens(registration, tokens));
  expect(refused).toMatchObject({ kind: "account_unreadable" });
});

test.each(["PROVIDER_A", "PROVIDER_B"] as const)(
  "at %s, stores the end that a refresh token's response names",
  async (provider) => {
    const { tokens } = await connect(provider, "refresh-token-ends");
    expect(tokens.refreshTokenExpiresAt).toEqual(new Date(NOW.getTime() + 5 * DAY));
  },
);

test.each(["PROVIDER_A", "PROVIDER_C"] as const)(
  "at %s, one refused post does not refuse the others",
  async (provider) => {
    const items = await walk(await connect(provider, "refused-post"), lastDays(30));
    const views = items.map(({ metrics }) => metrics[0]?.availability);
    expect(views.filter((one) => one === "AVAILABLE").length).toBeGreaterThan(views.length / 2);
  },
);

test("a limit within a page returns what was read before it", async () => {
  const { adapter, session } = await connect("PROVIDER_C", "limit-within-page");
  const page = await adapter.listContent(session, lastDays(30));
  expect(page.items).toHaveLength(5);
  expect(page.interruption).toMatchObject({ kind: "rate_limited", retryAfterSeconds: 60 });
});

test.each(SOCIAL_PROVIDERS)("at %s, a post that is listed twice is returned once in a page", async (provider) => {
  const { adapter, session } = await connect(provider, "repeated-posts");
  const { items } = await adapter.listContent(session, lastDays(20, { withMetrics: false }));
  expect(new Set(idsOf(items)).size).toBe(items.length);
});

test.each(["PROVIDER_A", "PROVIDER_C"] as const)(
  "at %s, does not follow cursors that lead back, in scans of any size",
  async (provider) => {
    for (const account of ["cursor-returns", "cursor-stuck"]) {
      const { adapter, session } = await connect(provider, account);
      for (const maxItems of [7, 50, 100]) {
        let cursor: string | null = null;
        let reason: string | null = null;
        let pages = 0;
        do {
          const page: ListPage = await adapter.listContent(
            session,
            lastDays(20, { withMetrics: false, maxItems, cursor }),
          );
          cursor = page.nextCursor;
          reason = page.incompleteReason;
          pages += 1;
        } while (cursor !== null && pages < 60);
        expect({ account, cursor, reason }).toEqual({ account, cursor: null, reason: "UPSTREAM_PAGE_LIMIT" });
      }
    }
  },
);

test.each(SOCIAL_PROVIDERS)("at %s, reads values in other forms", async (provider) => {
  const connected = await connect(provider, "other-forms");
  const { handle, profileUrl } = await connected.adapter.readAccount(connected.session);
  expect(handle).toBe("other_forms");
  expect(profileUrl).toMatch(/^https:\/\//);
  for (const item of await walk(connected, lastDays(10))) {
    if (item.reason !== "DELETED_AT_PROVIDER") expect(item.publishedAt).toBeInstanceOf(Date);
    if (item.availability === "AVAILABLE") expect(item.canonicalUrl).toMatch(/^https:\/\//);
  }
  expect(connected.tokens.accessTokenExpiresAt).not.toBeNull();
});
