import { daysBack, type Window } from "../context/jobs.ts";
import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";

export const CONTENT_COMPLETENESS_CASES = defineCasesWith({ needs: ["provider"] })({
  "S2.ContentPage.lastSuccessfulSyncAt": {
    title:
      "A page's lastSuccessfulSyncAt is the connection's: null before the first successful scan, and updated by each.",
    run: async (t) => {
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
      const page = await t.contentPage(broken, window, 1);
      t.equal(page.lastSuccessfulSyncAt, null, "where no scan has succeeded");
    },
  },
  "S2.ContentPage.not-scanned": {
    title: "A window that was never scanned is incomplete with NOT_SCANNED.",
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const now = await t.now();
      const window = daysBack(now, 60, 30);
      const infoOf = async (of: Window) => (await t.contentPage(connected, of)).pageInfo;
      t.shows(await infoOf(window), { completeForWindow: false, incompleteReason: "NOT_SCANNED" }, "the page");
      const wider = await infoOf(daysBack(now, 10, 0));
      t.equal(wider.completeForWindow, false, "a scan of a part does not cover the whole");
      await t.scan(connected, window);
      t.shows(await infoOf(window), { completeForWindow: true, incompleteReason: null }, "after a scan");
      const inside = await infoOf(daysBack(now, 50, 40));
      t.equal(inside.completeForWindow, true, "a window inside a scanned one is covered");
    },
  },
  "S2.ContentPage.scan-running": {
    title: "While the window is being scanned the page reads SCAN_RUNNING, and the connection RUNNING.",
    run: async (t) => {
      const connected = await t.connect({ account: "slow", capabilities: ["CONTENT_LIST"] });
      const window = daysBack(await t.now(), 6, 1);
      await t.untilIncomplete(connected, window, "SCAN_RUNNING");
      await t.untilRow(connected, "the connection reads RUNNING", (row) => row.syncStatus === "RUNNING");
      const again = await t.eventually(
        "another scan can be requested once the first has ended",
        () => t.call("requestRefresh", { ...connected, window }),
        (outcome) => outcome.ok,
      );
      await t.untilJob(connected, t.value(again).id, "the job reads RUNNING", (job) => job.status === "RUNNING");
    },
  },
  "S2.ContentPage.max-items": {
    title:
      "A scan that stopped at maxItems leaves the window incomplete with MAX_ITEMS_REACHED, and the connection PARTIAL.",
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const window = daysBack(await t.now(), 50, 20);
      const job = await t.scan(connected, { ...window, maxItems: 5 });
      t.endsIncomplete(job, "MAX_ITEMS_REACHED");
      t.matches(job.continuationCursor, /./, "continuationCursor");
      const page = await t.contentPage(connected, window);
      t.equal(page.items.length, 5, "the posts that were read are served");
      t.shows(page.pageInfo, { completeForWindow: false, incompleteReason: "MAX_ITEMS_REACHED" }, "the page");
      const row = await t.readConnection(connected);
      t.equal(row.syncStatus, "PARTIAL", "syncStatus");
    },
  },
  "S2.ContentPage.page-limit": {
    title: "A scan over too many pages ends incomplete with UPSTREAM_PAGE_LIMIT, and can be continued.",
    run: async (t) => {
      const connected = await t.connectAndSettle({ account: "ten-thousand-posts", capabilities: ["CONTENT_LIST"] });
      const job = await t.scan(connected, daysBack(await t.now(), 500, 480));
      t.endsIncomplete(job, "UPSTREAM_PAGE_LIMIT");
      t.matches(job.continuationCursor, /./, "continuationCursor");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.ContentPage.posts-of-one-second-${provider}`,
    title: `${provider}: 120 posts, three a second, are all stored and served once, in pages of any size.`,
    run: async (t) => {
      const connected = await t.connectAndSettle({ provider, account: "burst", capabilities: ["CONTENT_LIST"] });
      const newest = (await t.newestPost(provider, "burst")).getTime();
      const window = {
        publishedAfter: new Date(newest - 60_000).toISOString(),
        publishedBefore: new Date(newest + 1_000).toISOString(),
      };
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
    },
  })),
  "S2.ContentPage.window-limit": {
    title: "A scan that reaches the end of the provider's list ends incomplete with UPSTREAM_WINDOW_LIMIT.",
    run: async (t) => {
      const options = { account: "ten-thousand-posts", capabilities: ["CONTENT_LIST"] } as const;
      const connected = await t.connectAndSettle({ provider: "PROVIDER_C", ...options });
      // The provider lists the newest 10,000 posts, which are of less than 88 days.
      const first = await t.scan(connected, daysBack(await t.now(), 89.5, 88.5));
      const job = await t.continueScan(connected, first);
      t.endsIncomplete(job, "UPSTREAM_WINDOW_LIMIT");
    },
  },
});
