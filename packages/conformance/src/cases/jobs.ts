import { DOWN, SERVES_NONE } from "../context/accounts.ts";
import { BURST, concurrently, flip } from "../context/findings.ts";
import { daysBack, wholeDays } from "../context/jobs.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

/** A connection to an account whose calls all take seconds, so that jobs stay in flight. */
async function slowConnection(t: Steps): Promise<Connected> {
  const connected = await t.connect({ account: "slow", capabilities: ["CONTENT_LIST", "CONTENT_METRICS"] });
  await t.untilRow(connected, "the first scan ends", (row) => ["READY", "PARTIAL"].includes(row.syncStatus));
  return connected;
}

export const REFRESH_CASES = defineCases({ needs: ["provider"] }, (test) => {
  test("S4.requestRefresh.default-window: Without a window a scan covers the last 7 days, and null is the same as absent.", async (t) => {
    const connected = await t.connectAndSettle();
    const nothing = { window: null, providerContentId: null, continuationCursor: null };
    const job = await t.get("requestRefresh", { ...connected, ...nothing });
    t.shows(await t.jobEnd(connected, job.id), { status: "SUCCEEDED", completeForWindow: true }, "the scan");
    const now = await t.now();
    await t.pageReads(connected, daysBack(now, 6.9, 0.1), null, "6.9 days back are covered");
    const beyond = await t.contentPage(connected, daysBack(now, 7.1, 0.1), 1);
    t.equal(beyond.pageInfo.completeForWindow, false, "7.1 days back are not");
  });
  test("S4.requestRefresh.default-window-of-days: The first scan, and a scan without a window, cover the 7 whole days that end with today and with tomorrow.", async (t) => {
    const connected = await t.connectAndSettle({ capabilities: ["CONTENT_LIST"] });
    const isComplete = async (what: string) => {
      for (const hours of [0, 23])
        await t.pageReads(connected, wholeDays(await t.now(), 7, hours), null, `${what}, in ${hours} hours`);
    };
    await isComplete("after the first scan");
    const { id } = await t.get("requestRefresh", connected);
    await t.jobEnd(connected, id);
    await isComplete("after a scan without a window");
  });
  test("S4.requestRefresh.same-window: Requesting the same window while its scan is in flight returns the same job, even 20 times concurrently.", async (t) => {
    const connected = await slowConnection(t);
    const window = daysBack(await t.now(), 5, 1);
    const first = await t.get("requestRefresh", { ...connected, window });
    const repeats = await concurrently(20, () => t.get("requestRefresh", { ...connected, window }));
    t.equal(new Set(repeats.map((job) => job.id)), new Set([first.id]), "one job");
    const rewritten = { ...window, publishedAfter: window.publishedAfter.replace("Z", "+00:00"), maxItems: 100 };
    t.equal((await t.get("requestRefresh", { ...connected, window: rewritten })).id, first.id, "in another notation");
    t.equal((await t.jobEnd(connected, first.id)).status, "SUCCEEDED", "it ends");
    const after = await t.get("requestRefresh", { ...connected, window });
    t.holds(after.id !== first.id, "afterwards a new one is created");
  }).with({ holds: [BURST] });
  test("S4.requestRefresh.busy-window: Another window while a scan is in flight is SYNC_WINDOW_BUSY; a metrics refresh is not.", async (t) => {
    const connected = await slowConnection(t);
    const now = await t.now();
    const { providerContentId } = await t.newestStored(connected);
    await t.get("requestRefresh", { ...connected, window: daysBack(now, 5, 1) });
    await t.refuses("requestRefresh", { ...connected, window: daysBack(now, 5, 2) }, "SYNC_WINDOW_BUSY");
    const fewer = { ...connected, window: { ...daysBack(now, 5, 1), maxItems: 7 } };
    await t.refuses("requestRefresh", fewer, "SYNC_WINDOW_BUSY", "the same window with other maxItems");
    await t.refuses("requestRefresh", connected, "SYNC_WINDOW_BUSY", "the default window");
    await t.get("requestRefresh", { ...connected, providerContentId });
  });
  test("S4.requestRefresh.same-post: Requesting the metrics of a post while that is in flight returns the same job; another post has another.", async (t) => {
    const connected = await slowConnection(t);
    const { items } = await t.allContent(connected, daysBack(await t.now(), 6));
    const [one = "", two = ""] = items.map((item) => item.providerContentId);
    const jobs = await concurrently(10, () => t.get("requestRefresh", { ...connected, providerContentId: one }));
    t.equal(new Set(jobs.map((job) => job.id)).size, 1, "one job");
    const other = await t.get("requestRefresh", { ...connected, providerContentId: two });
    t.holds(other.id !== jobs[0]?.id, "another post is another job");
    const ended = await t.jobEnd(connected, jobs[0]?.id ?? "");
    t.shows(ended, { status: "SUCCEEDED", completeForWindow: null, continuationCursor: null }, "its end");
  });
  test("S4.requestRefresh.metrics: A metrics refresh updates one stored post.", async (t) => {
    const connected = await t.connectAndSettle();
    const before = await t.newestStored(connected, 6, 3);
    t.equal((await t.refresh(connected, before.providerContentId)).status, "SUCCEEDED", "the job");
    const after = await t.storedPost(connected, before.providerContentId);
    const seen = (item: typeof after) => item?.metrics[0]?.observedAt ?? "";
    t.holds(seen(after) > seen(before), "its metrics were observed later", [seen(before), seen(after)]);
  });
  test("S4.requestRefresh.arguments: A post combined with a window or a cursor is refused, and so is a post that was never observed.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = daysBack(await t.now(), 5);
    const ofPost = { ...connected, providerContentId: (await t.newestStored(connected)).providerContentId };
    await t.refuses("requestRefresh", { ...ofPost, window }, "BAD_USER_INPUT", "with a window");
    await t.refuses("requestRefresh", { ...ofPost, continuationCursor: "x" }, "BAD_USER_INPUT", "with a cursor");
    const unknown = { ...connected, providerContentId: "17900000000000000" };
    await t.refuses("requestRefresh", unknown, "NOT_FOUND", "never observed");
  });
  test("S8.max-items.listed-posts: maxItems counts listed posts, and not deleted posts in the provider's list.", async (t) => {
    // Published after the connection's first scan, which would have read them all.
    const connected = await t.connectAndSettle({ provider: "PROVIDER_A", account: "unicode" });
    const now = (await t.now()).getTime();
    // The account's own posts are hours apart, so hardly ever is one in the last minute and a half.
    const publish = (secondsAgo: number) =>
      t.provider.publish("PROVIDER_A", "unicode", { publishedAt: new Date(now - secondsAgo * 1_000) });
    const older = await publish(80);
    const deleted = [await publish(60), await publish(40)];
    const newer = await publish(20);
    for (const { id } of deleted) await t.provider.setVisibility("PROVIDER_A", "unicode", id, "deleted");
    const window = daysBack(new Date(now), 90 / (24 * 60 * 60), 0);
    t.equal((await t.scan(connected, { ...window, maxItems: 2 })).status, "SUCCEEDED", "the scan of 2");
    const { items } = await t.allContent(connected, window);
    const listed = items.filter((item) => item.availability === "AVAILABLE").map((item) => item.providerContentId);
    t.equal(listed, [newer.id, older.id], "two posts, although four entries were read");
  }).with({ holds: ["account:A:unicode"] });
  test("S8.max-items: maxItems may be 1 to 100, 100 when absent, and a scan observes at most that many.", async (t) => {
    const capabilities = ["CONTENT_LIST", "PROFILE"] as const;
    const connected = await t.connectAndSettle({ account: "thousand-posts", capabilities });
    const window = daysBack(await t.now(), 60, 30);
    for (const maxItems of [0, -1, 101, 2_147_483_647]) {
      const args = { ...connected, window: { ...window, maxItems } };
      await t.refuses("requestRefresh", args, "BAD_USER_INPUT", `${maxItems}`);
    }
    const stored = async () => (await t.allContent(connected, window)).items.length;
    const one = await t.scan(connected, { ...window, maxItems: 1 });
    t.equal(one.incompleteReason, "MAX_ITEMS_REACHED", "maxItems 1");
    t.equal(await stored(), 1, "one post");
    t.equal((await t.scan(connected, window)).incompleteReason, "MAX_ITEMS_REACHED", "without maxItems");
    t.equal(await stored(), 100, "a hundred posts");
  });
  test("S4.requestRefresh.continuation: A continuation cursor continues where the scan stopped, until the window is covered.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = { ...daysBack(await t.now(), 45, 10), maxItems: 10 };
    const first = await t.scan(connected, window);
    t.equal(first.incompleteReason, "MAX_ITEMS_REACHED", "the first scan");
    const sizes: number[] = [];
    const count = async () => void sizes.push((await t.allContent(connected, window)).items.length);
    await count();
    const job = await t.continueScan(connected, first, count);
    t.shows(job, { status: "SUCCEEDED", completeForWindow: true, incompleteReason: null }, "the last one");
    const adds = sizes.every((size, index) => size > (sizes[index - 1] ?? 0));
    t.holds(sizes.length > 2 && adds, "each adds posts", sizes);
    await t.pageReads(connected, window, null, "together they cover the window");
  });
  test("S4.requestRefresh.continuation-rules: A continuation cursor is valid only for its own window and connection, and refused when it is altered.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = { ...daysBack(await t.now(), 45, 10), maxItems: 5 };
    const { continuationCursor } = await t.scan(connected, window);
    const cursor = continuationCursor ?? "";
    const refused = async (args: object, what: string) => {
      await t.refuses("requestRefresh", { ...connected, continuationCursor, ...args }, "BAD_USER_INPUT", what);
    };
    const later = new Date(Date.parse(window.publishedAfter) + 1).toISOString();
    await refused({ window: { ...window, publishedAfter: later } }, "another window");
    for (const bad of ["", "x", "a\0b", "\ud800", flip(cursor), `${cursor}A`, cursor.slice(3), "a".repeat(5_000)])
      await refused({ continuationCursor: bad }, bad.slice(0, 12));
    await refused(await t.connectAndSettle(), "another connection");
    await t.get("requestRefresh", { ...connected, continuationCursor, window });
  });
  test("S4.requestRefresh.no-cursor-when-complete: A scan that covered its window has no continuation cursor.", async (t) => {
    const job = await t.scan(await t.connectAndSettle(), daysBack(await t.now(), 10));
    t.shows(job, { completeForWindow: true, continuationCursor: null }, "the job");
  });
  test("S3.job.succeeds: A scan is QUEUED when it is requested, and SUCCEEDED when it has read its window.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = daysBack(await t.now(), 20, 10);
    const asked = await t.get("requestRefresh", { ...connected, window });
    t.shows(asked, { status: "QUEUED", errorCode: null, nextRetryAt: null, continuationCursor: null }, "at first");
    const expected = { ...asked, status: "SUCCEEDED", completeForWindow: true, incompleteReason: null };
    t.equal(await t.jobEnd(connected, asked.id), expected, "at the end: only the fields of a scan");
  });
  for (const account of ["rate-limited", "flaky-5xx"] as const)
    test(`S3.job.retries-${account}: A job that the provider refuses temporarily (${account}) waits with nextRetryAt, is QUEUED, and succeeds.`, async (t) => {
      const connected = await t.connect({ account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const id = await t.requestLookup(connected, "PROVIDER_C", account);
      t.equal((await t.untilRetry(connected, id)).status, "QUEUED", "status while it waits");
      t.shows(await t.jobEnd(connected, id), { status: "SUCCEEDED", nextRetryAt: null }, "its end");
    });
  test("S3.job.rotating-refresh: Reads continue across renewals of a short-lived credential that is valid for one use.", async (t) => {
    for (const provider of ["PROVIDER_A", "PROVIDER_B"] as const) {
      const connected = await t.connectAndSettle({ provider, account: "rotating-refresh" });
      const now = await t.now();
      for (const from of [10, 11, 12])
        t.equal((await t.scan(connected, daysBack(now, from, 8))).status, "SUCCEEDED", provider);
    }
  });
  test("S8.read-jobs.exact: Exactly 20 of 60 concurrent read jobs are accepted; the others are RATE_LIMITED for 60 seconds.", async (t) => {
    const [provider, account] = ["PROVIDER_B", "thousand-posts"] as const;
    const connected = await t.connectAndSettle({ provider, account });
    const { items } = await t.allContent(connected, daysBack(await t.now(), 8));
    t.holds(items.length >= 60, "there are 60 posts", items.length);
    const ids = items.slice(0, 60).map((item) => item.providerContentId);
    // The first jobs must not end before the last call is answered: they wait for their next attempts.
    await t.whileFault(provider, "list", DOWN, { account }, async () => {
      // One second: a busy process refused the call before it reached the limit.
      const ask = (providerContentId: string) => {
        const call = () => t.call("requestRefresh", { ...connected, providerContentId });
        const what = "a call that the process has no time for is answered later";
        return t.eventually(what, call, (outcome) => outcome.ok || outcome.retryAfterSeconds !== 1);
      };
      const outcomes = await Promise.all(ids.map(ask));
      for (const { retryAfterSeconds } of t.exactly(20, outcomes, ["RATE_LIMITED"]).failures)
        t.equal(retryAfterSeconds, 60, "retryAfterSeconds of the others");
      const running = outcomes.findIndex((outcome) => outcome.ok);
      t.value(await ask(ids[running] ?? ""), "the job of a post in flight is still returned");
      const lookup = { ...connected, url: "https://www.tiktok.com/@a/video/1" };
      await t.refuses("requestContentLookup", lookup, "RATE_LIMITED", "a lookup is a read job too");
    });
  }).with({ holds: ["account:B:thousand-posts"] });
  for (const provider of PROVIDERS)
    test(`S3.job.grant-gone-${provider}: A job that detects a revoked grant at ${provider} fails with RECONNECT_REQUIRED.`, async (t) => {
      const account = "removed-app";
      const connected = await t.connect({ provider, account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const job = await t.jobEnd(connected, await t.requestLookup(connected, provider, account));
      t.shows(job, { status: "FAILED", errorCode: "RECONNECT_REQUIRED" }, "the job");
    });
  for (const [code, what, state] of [
    ["AUTHORIZATION_SUSPENDED", "paused", "PAUSED"],
    ["CAPABILITY_UNAVAILABLE", "not-served", SERVES_NONE],
    ["CAPABILITY_UNAVAILABLE", "capability-not-served", { capabilities: ["PROFILE", "CONTENT_LIST"] }],
  ] as const)
    test(`S3.job.${what}: A job whose registration is ${what} when it runs fails with ${code}.`, async (t) => {
      const connected = await t.connect({ account: "flaky-5xx", capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const id = await t.requestLookup(connected, "PROVIDER_C", "flaky-5xx");
      await t.untilRetry(connected, id);
      await t.whileRegistration("PROVIDER_C", state, async () => {
        const job = await t.jobEnd(connected, id);
        t.shows(job, { status: "FAILED", errorCode: code }, "the job");
      });
    }).with({ lane: "alone", needs: ["provider", "operator"] });
});
