import { describe, expect, test } from "vitest";
import { place } from "./testing/place.ts";

const { mock, library, store, link, onceAnswered } = place();

test("after an import the posts of the last weeks are here, the newest first", async () => {
  await link();
  expect(await library.importAll("mara")).toBe("all");
  const posts = store.read("mara").account?.posts ?? [];
  const times = posts.map(({ publishedAt }) => publishedAt);
  expect(posts.length).toBeGreaterThan(0);
  expect(times).toEqual(times.toSorted().toReversed());
});

test("a post that the creator publishes is here after the next import, with its numbers", async () => {
  await link();
  await library.importAll("mara");
  await mock.clock.advance("6h");
  mock.account("PROVIDER_A", "channel-1").publish({ title: "Our new oven", metrics: { VIEWS: "1200" } });
  await mock.clock.advance("1m");
  await library.importAll("mara");
  const [newest] = store.read("mara").account?.posts ?? [];
  expect(newest?.title).toBe("Our new oven");
  expect(newest?.metrics).toContainEqual(expect.objectContaining({ name: "VIEWS", value: "1200" }));
});

describe("partial scan", () => {
  test("a busy creator's first import shows the newest, and says that there are more", async () => {
    await link("thousand-posts");
    expect(await library.importNewest("mara")).toBe("some");
    expect(store.read("mara").account?.allPosts).toBe(false);
    const { posts = [] } = store.read("mara").account ?? {};
    // Some of the hundred posts may be private or deleted.
    expect(posts.length).toBeGreaterThan(80);
    expect(posts.length).toBeLessThanOrEqual(100);
  });

  test("completes the list with the nightly import", async () => {
    await link("thousand-posts");
    await library.importNewest("mara");
    expect(await library.importAll("mara")).toBe("all");
    expect(store.read("mara").account?.posts.length).toBeGreaterThan(300);
  });

  test("accepts a scan that the provider interrupts, and shows the posts read so far", async () => {
    await link();
    // The service's own first scan is over by then.
    await mock.settle();
    onceAnswered("requestRefresh", () => {
      const scan = mock.jobs().find(({ kind, background }) => kind === "SCAN" && !background);
      mock.job(scan?.id ?? "none").succeed({ incompleteReason: "UPSTREAM_RATE_LIMITED" });
    });
    expect(await library.importNewest("mara")).toBe("some");
    expect(store.read("mara").account?.posts.length).toBeGreaterThan(0);
  });
});

describe("rate limit", () => {
  test("a provider that is over its limit twice is waited for", async () => {
    await link("rate-limited");
    expect(await library.importAll("mara")).toBe("all");
  });

  test("keeps the known posts while an account stays over its limit, until the service retries", async () => {
    await link();
    await library.importAll("mara");
    const before = store.read("mara").account;
    await mock.clock.advance("25h");
    mock.providerFaults.add("PROVIDER_A", "any", { failure: "rate_limited" });

    expect(await library.importAll("mara")).toBe("later");
    const after = store.read("mara").account;
    expect(after?.posts).toEqual(before?.posts);
    expect(Date.parse(after?.tryAgainAt ?? "")).toBeGreaterThan(mock.clock.now());

    mock.providerFaults.clear();
    await mock.clock.set(after?.tryAgainAt ?? "");
    expect(await library.importAll("mara")).toBe("all");
  });

  test("waits as long as the service's own limit requires", async () => {
    await link();
    const beganMs = mock.clock.now();
    mock.faults.next("requestRefresh", { code: "RATE_LIMITED", retryAfterSeconds: 60 });
    expect(await library.importAll("mara")).toBe("all");
    expect(mock.clock.now() - beganMs).toBeGreaterThanOrEqual(60_000);
  });
});

test("detects an expired consent during the import and asks the creator", async () => {
  await link();
  mock.account("PROVIDER_A", "channel-1").endGrants("password-changed");
  expect(await library.importAll("mara")).toBe("consent-needed");
  expect(store.read("mara").account?.state).toBe("consent-needed");
  expect(await link()).toBe("linked");
  expect(await library.importAll("mara")).toBe("all");
});

test("lost response: repeats a refresh that was accepted, and gets the same job", async () => {
  // A slow provider, so that the scan is still running when it is requested again.
  await link("slow");
  await mock.settle();
  mock.faults.next("requestRefresh", { drop: "after" });
  expect(await library.importNewest("mara")).toBe("all");
  mock.calls.assertCalled("requestRefresh", 2);
  expect(mock.jobs().filter(({ kind, background }) => kind === "SCAN" && !background)).toHaveLength(1);
});
