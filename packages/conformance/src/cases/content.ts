import type { Connected } from "../context/connections.ts";
import { flip } from "../context/findings.ts";
import { DAY_MS, daysBack, windowOf } from "../context/jobs.ts";
import { PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

export const CONTENT_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S4.content.window-${provider}: After a scan, content at ${provider} has every public post of the window, none from outside it, newest first.`, async (t) => {
      const { connected, window, job, items, last } = await t.scanned({ provider }, 40, 3);
      t.shows(job, { status: "SUCCEEDED", completeForWindow: true, incompleteReason: null }, "the scan");
      t.shows(last.pageInfo, { completeForWindow: true, incompleteReason: null }, "the page's completeness");
      t.matches(last.lastSuccessfulSyncAt, /Z$/, "lastSuccessfulSyncAt");
      const times = items.map((item) => item.publishedAt ?? "");
      t.equal(times, times.toSorted().reverse(), "newest first");
      const isInside = (time: string) => time >= window.publishedAfter && time < window.publishedBefore;
      t.holds(times.every(isInside), "inside the window", times);
      const wanted = (await t.publicPosts(provider)).filter((post) => isInside(post.publishedAt));
      t.holds(wanted.length > 10, "there is something to compare", wanted.length);
      const available = items.filter((item) => item.availability === "AVAILABLE").map((item) => item.providerContentId);
      const missing = wanted.map((post) => post.id).filter((id) => !available.includes(id));
      t.equal(missing, [], "public posts that are missing");
      t.equal((await t.readConnection(connected)).syncStatus, "READY", "syncStatus after a scan of the window");
    });
  test("S4.content.window-boundaries: A window includes its start and excludes its end.", async (t) => {
    const { connected, items } = await t.scanned({ provider: "PROVIDER_B" }, 30);
    const [newer, , older] = items;
    const [publishedAfter, publishedBefore] = [older?.publishedAt ?? "", newer?.publishedAt ?? ""];
    const ids = (await t.contentPage(connected, { publishedAfter, publishedBefore })).items.map((item) => item.id);
    t.holds(ids.includes(older?.id ?? ""), "a post exactly at the start is included");
    t.holds(!ids.includes(newer?.id ?? ""), "a post exactly at the end is excluded");
  });
  test("S8.content-page.sizes: Pages of 1, 7 and 50 return the same posts in the same order, each once.", async (t) => {
    const { connected, window, items } = await t.scanned({ provider: "PROVIDER_B" }, 12);
    const whole = items.map((item) => item.id);
    t.holds(whole.length > 7, "several pages of 7", whole.length);
    t.equal(new Set(whole).size, whole.length, "each once");
    for (const first of [1, 7]) {
      const paged = (await t.allContent(connected, window, first)).items.map((item) => item.id);
      t.equal(paged, whole, `${first} a page`);
    }
  });
  for (const [what, name, page] of [
    ["content", "content", { first: 1 }],
    ["scan", "requestRefresh", {}],
  ] as const)
    test(`S8.window-span.${what}: A window of ${name} may span at most 90 days; it may be neither empty nor reversed.`, async (t) => {
      const { scope, connectionId } = await t.connectAndSettle({ account: "empty" });
      const from = Date.parse("2026-01-01T00:00:00.000Z");
      const ask = (ms: number) =>
        t.callWith(t.api, name, { scope, connectionId, window: { ...windowOf(from, from + ms), ...page } });
      for (const ms of [90 * DAY_MS + 1, 0, -1, -DAY_MS])
        t.fails(await ask(ms), "BAD_USER_INPUT", `${ms} ms after the start`);
      for (const ms of [90 * DAY_MS, 1]) {
        const answer = t.value(await ask(ms), `${ms} ms after the start`);
        if ("status" in answer)
          t.equal((await t.jobEnd({ scope, connectionId }, answer.id)).status, "SUCCEEDED", "the scan");
      }
    });
  test("S4.content.cursor: A cursor of content is opaque, bound to its window and connection, and refused when it is altered.", async (t) => {
    const { connected, window } = await t.scanned({ provider: "PROVIDER_B" }, 12);
    const { pageInfo, items } = await t.contentPage(connected, window, 2);
    const after = pageInfo.endCursor ?? "";
    const plain = Buffer.from(after, "base64url").toString("latin1");
    const ids = items.flatMap((item) => [item.id, item.providerContentId]);
    for (const id of ids) t.holds(!plain.includes(id), "it contains no readable id");
    const refused = async (of: Connected, changed: object, what: string) => {
      const args = { ...of, window: { ...window, first: 2, after, ...changed } };
      await t.refuses("content", args, "BAD_USER_INPUT", what);
    };
    const earlier = new Date(Date.parse(window.publishedBefore) - 1).toISOString();
    await refused(connected, { publishedBefore: earlier }, "another window");
    for (const bad of ["", "x", `${after}A`, flip(after), after.slice(2), "a".repeat(5_000)])
      await refused(connected, { after: bad }, bad.slice(0, 12));
    await refused(await t.connect({ provider: "PROVIDER_B" }), {}, "another connection");
    const connections = await t.get("connections", { scope: connected.scope, first: 1 });
    if (connections.pageInfo.endCursor !== null)
      await refused(connected, { after: connections.pageInfo.endCursor }, "a cursor of connections");
    const next = await t.contentPage(connected, window, 5, after);
    t.equal(next.items.length, 5, "its own query, with another page size");
    const { endCursor, hasNextPage } = (await t.contentPage(connected, window, 50)).pageInfo;
    t.equal([typeof endCursor, hasNextPage], ["string", false], "the last page has a cursor too");
    const beyond = await t.contentPage(connected, window, 50, endCursor);
    t.equal([beyond.items, beyond.pageInfo.endCursor], [[], endCursor], "nothing follows it");
  });
  test("S4.content.paging-stable: While new posts arrive, paging with a cursor repeats nothing and omits nothing.", async (t) => {
    const { connected, window, items } = await t.scanned({ provider: "PROVIDER_B", account: "street-baker" }, 12);
    const before = items.map((item) => item.id);
    const first = await t.contentPage(connected, window, 3);
    const published = await t.provider.publish("PROVIDER_B", "street-baker");
    t.equal((await t.scan(connected, window)).status, "SUCCEEDED", "a scan sees the new post");
    const rest = await t.allContent(connected, window, 3, first.pageInfo.endCursor);
    const paged = [...first.items, ...rest.items].map((item) => item.id);
    t.equal(paged, before, "the pages from the first cursor");
    const anew = (await t.allContent(connected, window)).items;
    t.equal(anew[0]?.providerContentId, published.id, "from the start, the new post is first");
    t.equal(anew.length, before.length + 1, "one more");
  }).with({ holds: ["account:B:street-baker"] });
  test("S4.content.empty-account: An account without posts has an empty, complete window.", async (t) => {
    for (const provider of PROVIDERS) {
      const connected = await t.connectAndSettle({ provider, account: "empty" });
      const window = daysBack(await t.now(), 20);
      t.equal((await t.scan(connected, window)).completeForWindow, true, `the scan at ${provider}`);
      const page = await t.contentPage(connected, window, 10);
      t.equal([page.items, page.pageInfo.hasNextPage, page.pageInfo.completeForWindow], [[], false, true], provider);
    }
  });
  test("S2.ContentPage.lastSuccessfulSyncAt: A page's lastSuccessfulSyncAt is the connection's: null before the first success, and updated by each.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = daysBack(await t.now(), 4);
    const both = async () => {
      const page = await t.contentPage(connected, window, 1);
      const row = await t.readConnection(connected);
      t.equal(page.lastSuccessfulSyncAt, row.lastSuccessfulSyncAt, "the page's and the connection's");
      return row.lastSuccessfulSyncAt;
    };
    const first = await both();
    t.matches(first, /Z$/, "after the first scan");
    await t.scan(connected, window);
    const second = await both();
    t.holds(Date.parse(second ?? "") >= Date.parse(first ?? ""), "after a second one", [first, second]);
    const broken = await t.connect({ account: "down", capabilities: ["CONTENT_LIST"] });
    t.equal((await t.contentPage(broken, window, 1)).lastSuccessfulSyncAt, null, "where no scan has succeeded");
  });
  test("S2.ContentPage.not-scanned: A window that was never scanned is incomplete with NOT_SCANNED.", async (t) => {
    const connected = await t.connectAndSettle();
    const now = await t.now();
    const window = daysBack(now, 60, 30);
    await t.pageReads(connected, window, "NOT_SCANNED");
    const wider = await t.contentPage(connected, daysBack(now, 10, 0));
    t.equal(wider.pageInfo.completeForWindow, false, "a scan of a part does not cover the whole");
    await t.scan(connected, window);
    await t.pageReads(connected, window, null, "after a scan");
    await t.pageReads(connected, daysBack(now, 50, 40), null, "a window inside a scanned one is covered");
  });
  test("S2.ContentPage.scan-running: While the window is being scanned the page reads SCAN_RUNNING, and the connection RUNNING.", async (t) => {
    const connected = await t.connect({ account: "slow", capabilities: ["CONTENT_LIST"] });
    const window = daysBack(await t.now(), 6, 1);
    await t.untilIncomplete(connected, window, "SCAN_RUNNING");
    await t.untilRow(connected, "the connection reads RUNNING", (row) => row.syncStatus === "RUNNING");
    // It is accepted once the first has ended.
    const { id } = await t.requestScan(connected, window);
    await t.untilJob(connected, id, "the job reads RUNNING", (job) => job.status === "RUNNING");
  });
  test("S2.ContentPage.max-items: A scan that stopped at maxItems leaves the window incomplete with MAX_ITEMS_REACHED, and the connection PARTIAL.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = daysBack(await t.now(), 50, 20);
    const job = await t.scan(connected, { ...window, maxItems: 5 });
    t.endsIncomplete(job, "MAX_ITEMS_REACHED");
    t.matches(job.continuationCursor, /./, "continuationCursor");
    const page = await t.pageReads(connected, window, "MAX_ITEMS_REACHED");
    t.equal(page.items.length, 5, "the posts that were read are served");
    t.equal((await t.readConnection(connected)).syncStatus, "PARTIAL", "syncStatus");
  });
  test("S2.ContentPage.page-limit: A scan over too many pages ends incomplete with UPSTREAM_PAGE_LIMIT, and can be continued.", async (t) => {
    const connected = await t.connectAndSettle({ account: "ten-thousand-posts", capabilities: ["CONTENT_LIST"] });
    const job = await t.scan(connected, daysBack(await t.now(), 500, 480));
    t.endsIncomplete(job, "UPSTREAM_PAGE_LIMIT");
    t.matches(job.continuationCursor, /./, "continuationCursor");
  });
  for (const provider of PROVIDERS)
    test(`S2.ContentPage.posts-of-one-second-${provider}: ${provider}: 120 posts, three a second, are all stored and served once, in pages of any size.`, async (t) => {
      const connected = await t.connectAndSettle({ provider, account: "burst", capabilities: ["CONTENT_LIST"] });
      const newest = (await t.newestPost(provider, "burst")).getTime();
      const window = windowOf(newest - 60_000, newest + 1_000);
      const job = await t.continueScan(connected, await t.scan(connected, { ...window, maxItems: 37 }));
      t.shows(job, { status: "SUCCEEDED", completeForWindow: true }, "the last scan");
      // Pages of every size for the provider whose cursor is a time.
      const sizes =
        provider === "PROVIDER_B" ? Array.from({ length: 50 }, (_, index) => index + 1) : [1, 7, 20, 49, 50];
      for (const first of sizes) {
        const { items } = await t.allContent(connected, window, first);
        t.equal(new Set(items.map((item) => item.providerContentId)).size, 120, `posts in pages of ${first}`);
        t.equal(items.length, 120, `entries in pages of ${first}`);
      }
    });
  test("S2.ContentPage.window-limit: A scan that reaches the end of the provider's list ends incomplete with UPSTREAM_WINDOW_LIMIT.", async (t) => {
    const options = { account: "ten-thousand-posts", capabilities: ["CONTENT_LIST"] } as const;
    const connected = await t.connectAndSettle({ provider: "PROVIDER_C", ...options });
    // The provider lists the newest 10,000 posts, which are of less than 88 days.
    const first = await t.scan(connected, daysBack(await t.now(), 89.5, 88.5));
    t.endsIncomplete(await t.continueScan(connected, first), "UPSTREAM_WINDOW_LIMIT");
  });
});
