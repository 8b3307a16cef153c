import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import type { ListRequest, ProviderError } from "./contract.ts";
import { failureOf, idsOf } from "./testing/replay.ts";
import { type Connected, connect, lastDays, useSimulator, walk } from "./testing/simulated.ts";

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
  test.each([1, 2, 3, 7, 19, 20, 21, 49, 50, 100])(
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
