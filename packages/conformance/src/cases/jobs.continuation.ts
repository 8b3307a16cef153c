import { defineCasesWith } from "../harness/defineCase.ts";
import {
  allContent,
  connectAndSettle,
  contentPage,
  continueScan,
  daysBack,
  scan,
  serviceNow,
} from "./support/journeys.ts";
import { flip } from "./support/texts.ts";

export const CONTINUATION_CASES = defineCasesWith({ needs: ["provider"] }, [
  {
    id: "S4.requestRefresh.continuation",
    title: "A continuation cursor continues where the scan stopped, until the window is covered.",
    reaches: ["field:SyncJob.continuationCursor", "incompleteReason:MAX_ITEMS_REACHED"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = { ...daysBack(await serviceNow(t), 45, 10), maxItems: 10 };
      const first = await scan(t, connected, window);
      const sizes: number[] = [];
      const count = async () => void sizes.push((await allContent(t, connected, window)).items.length);
      await count();
      const job = await continueScan(t, connected, first, count);
      t.shows(job, { status: "SUCCEEDED", completeForWindow: true, incompleteReason: null }, "the last one");
      const adds = sizes.every((size, index) => size > (sizes[index - 1] ?? 0));
      t.holds(sizes.length > 2 && adds, "each adds posts", sizes);
      const page = await contentPage(t, connected, window, 1);
      t.equal(page.pageInfo.completeForWindow, true, "together they cover the window");
    },
  },
  {
    id: "S4.requestRefresh.continuation-rules",
    title:
      "A continuation cursor is valid only for its own window; altered, foreign or combined with a post it is refused.",
    reaches: [
      "rule:requestRefresh.continuationCursor.window",
      "rule:requestRefresh.continuationCursor.altered",
      "code:BAD_USER_INPUT",
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = { ...daysBack(await serviceNow(t), 45, 10), maxItems: 5 };
      const { continuationCursor } = await scan(t, connected, window);
      const cursor = continuationCursor ?? "";
      const refused = async (args: object, what: string) => {
        await t.refuses("requestRefresh", { ...connected, continuationCursor, ...args }, "BAD_USER_INPUT", what);
      };
      const later = new Date(Date.parse(window.publishedAfter) + 1).toISOString();
      await refused({ window: { ...window, publishedAfter: later } }, "another window");
      for (const bad of ["", "x", "a\0b", "\ud800", flip(cursor), `${cursor}A`, cursor.slice(3), "a".repeat(5_000)])
        await refused({ continuationCursor: bad }, bad.slice(0, 12));
      await refused(await connectAndSettle(t), "another connection");
      await t.get("requestRefresh", { ...connected, continuationCursor, window });
    },
  },
  {
    id: "S4.requestRefresh.no-cursor-when-complete",
    title: "A scan that covered its window has no continuation cursor.",
    reaches: ["field:SyncJob.continuationCursor"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const job = await scan(t, connected, daysBack(await serviceNow(t), 10));
      t.shows(job, { completeForWindow: true, continuationCursor: null }, "the job");
    },
  },
]);
