import { defineCasesWith } from "../harness/defineCase.ts";
import { connect, connectAndSettle, daysBack, jobEnd, scan, serviceNow } from "./support/journeys.ts";

export const CONTENT_COMPLETENESS_CASES = defineCasesWith({ needs: ["provider"] }, [
  {
    id: "S2.ContentPage.lastSuccessfulSyncAt",
    title:
      "A page's lastSuccessfulSyncAt is the connection's: null before the first successful scan, and updated by each.",
    reaches: ["field:ContentPage.lastSuccessfulSyncAt", "operation:content"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = daysBack(await serviceNow(t), 4);
      const both = async () => {
        const page = await t.get("content", { ...connected, window: { ...window, first: 1 } });
        const row = await t.get("connection", { scope: connected.scope, id: connected.connectionId });
        t.equal(page.lastSuccessfulSyncAt, row.lastSuccessfulSyncAt, "the page's and the connection's");
        return row.lastSuccessfulSyncAt;
      };
      const first = await both();
      t.matches(first, /Z$/, "after the first scan");
      await scan(t, connected, window);
      const second = await both();
      t.holds(Date.parse(second ?? "") >= Date.parse(first ?? ""), "after a second one", [first, second]);
      const broken = await connect(t, { account: "down", capabilities: ["CONTENT_LIST"] });
      const page = await t.get("content", { ...broken, window: { ...window, first: 1 } });
      t.equal(page.lastSuccessfulSyncAt, null, "where no scan has succeeded");
    },
  },
  {
    id: "S2.ContentPage.not-scanned",
    title: "A window that was never scanned is incomplete with NOT_SCANNED.",
    reaches: ["incompleteReason:NOT_SCANNED", "field:ContentPage.complete"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = daysBack(await serviceNow(t), 60, 30);
      const { pageInfo } = await t.get("content", { ...connected, window: { ...window, first: 50 } });
      t.equal([pageInfo.completeForWindow, pageInfo.incompleteReason], [false, "NOT_SCANNED"], "the page");
      const part = daysBack(await serviceNow(t), 10, 0);
      const wider = await t.get("content", { ...connected, window: { ...part, first: 50 } });
      t.equal(wider.pageInfo.completeForWindow, false, "a scan of a part does not cover the whole");
      await scan(t, connected, window);
      const after = await t.get("content", { ...connected, window: { ...window, first: 50 } });
      t.equal([after.pageInfo.completeForWindow, after.pageInfo.incompleteReason], [true, null], "after a scan");
      const inner = daysBack(await serviceNow(t), 50, 40);
      const inside = await t.get("content", { ...connected, window: { ...inner, first: 50 } });
      t.equal(inside.pageInfo.completeForWindow, true, "a window inside a scanned one is covered");
    },
  },
  {
    id: "S2.ContentPage.scan-running",
    title: "While the window is being scanned the page reads SCAN_RUNNING, and the connection RUNNING.",
    reaches: ["incompleteReason:SCAN_RUNNING", "enum:SyncStatus.RUNNING", "enum:JobStatus.RUNNING"],
    run: async (t) => {
      const connected = await connect(t, { account: "slow", capabilities: ["CONTENT_LIST"] });
      const window = daysBack(await serviceNow(t), 6, 1);
      await t.eventually(
        "the page reads SCAN_RUNNING",
        () => t.get("content", { ...connected, window: { ...window, first: 1 } }),
        (page) => page.pageInfo.incompleteReason === "SCAN_RUNNING",
      );
      await t.eventually(
        "the connection reads RUNNING",
        () => t.get("connection", { scope: connected.scope, id: connected.connectionId }),
        (row) => row.syncStatus === "RUNNING",
      );
      const again = await t.eventually(
        "another scan can be requested once the first has ended",
        () => t.call("requestRefresh", { ...connected, window }),
        (outcome) => outcome.ok,
      );
      await t.eventually(
        "the job reads RUNNING",
        () => t.get("syncJob", { ...connected, id: t.value(again).id }),
        (job) => job.status === "RUNNING",
      );
    },
  },
  {
    id: "S2.ContentPage.max-items",
    title:
      "A scan that stopped at maxItems leaves the window incomplete with MAX_ITEMS_REACHED, and the connection PARTIAL.",
    reaches: [
      "incompleteReason:MAX_ITEMS_REACHED",
      "enum:SyncStatus.PARTIAL",
      "field:SyncJob.continuationCursor",
      "operation:requestRefresh",
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = daysBack(await serviceNow(t), 50, 20);
      const job = await scan(t, connected, { ...window, maxItems: 5 });
      t.equal(
        [job.status, job.completeForWindow, job.incompleteReason],
        ["SUCCEEDED", false, "MAX_ITEMS_REACHED"],
        "the job",
      );
      t.matches(job.continuationCursor, /./, "continuationCursor");
      const page = await t.get("content", { ...connected, window: { ...window, first: 50 } });
      t.equal(page.items.length, 5, "the posts that were read are served");
      t.equal(
        [page.pageInfo.completeForWindow, page.pageInfo.incompleteReason],
        [false, "MAX_ITEMS_REACHED"],
        "the page",
      );
      const row = await t.get("connection", { scope: connected.scope, id: connected.connectionId });
      t.equal(row.syncStatus, "PARTIAL", "syncStatus");
    },
  },
  {
    id: "S2.ContentPage.page-limit",
    title: "A scan over too many pages ends incomplete with UPSTREAM_PAGE_LIMIT, and can be continued.",
    reaches: ["incompleteReason:UPSTREAM_PAGE_LIMIT", "field:SyncJob.continuationCursor"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { account: "ten-thousand-posts", capabilities: ["CONTENT_LIST"] });
      const job = await scan(t, connected, daysBack(await serviceNow(t), 500, 480));
      t.equal(
        [job.status, job.completeForWindow, job.incompleteReason],
        ["SUCCEEDED", false, "UPSTREAM_PAGE_LIMIT"],
        "the job",
      );
      t.matches(job.continuationCursor, /./, "continuationCursor");
    },
  },
  {
    id: "S2.ContentPage.window-limit",
    title: "A scan that reaches the end of the provider's list ends incomplete with UPSTREAM_WINDOW_LIMIT.",
    reaches: ["incompleteReason:UPSTREAM_WINDOW_LIMIT"],
    run: async (t) => {
      const connected = await connectAndSettle(t, {
        provider: "PROVIDER_A",
        account: "ten-thousand-posts",
        capabilities: ["CONTENT_LIST"],
      });
      let job = await scan(t, connected, daysBack(await serviceNow(t), 0.2, 0));
      for (let round = 0; round < 10 && job.continuationCursor !== null; round += 1) {
        const next = await t.get("requestRefresh", { ...connected, continuationCursor: job.continuationCursor });
        job = await jobEnd(t, connected, next.id);
      }
      t.equal(
        [job.status, job.completeForWindow, job.incompleteReason],
        ["SUCCEEDED", false, "UPSTREAM_WINDOW_LIMIT"],
        "the last job",
      );
    },
  },
]);
