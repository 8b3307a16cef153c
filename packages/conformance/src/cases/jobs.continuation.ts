import { defineCasesWith } from "../harness/defineCase.ts";
import { allContent, connectAndSettle, daysBack, jobEnd, scan, serviceNow } from "./support/journeys.ts";
import { flip } from "./support/texts.ts";

export const CONTINUATION_CASES = defineCasesWith({ needs: ["provider"] }, [
  {
    id: "S4.requestRefresh.continuation",
    title: "A continuation cursor continues where the scan stopped, until the window is covered.",
    reaches: ["field:SyncJob.continuationCursor", "incompleteReason:MAX_ITEMS_REACHED"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = { ...daysBack(await serviceNow(t), 45, 10), maxItems: 10 };
      let job = await scan(t, connected, window);
      const sizes = [(await allContent(t, connected, window)).items.length];
      for (let round = 0; round < 10 && job.continuationCursor !== null; round += 1) {
        const next = await t.get("requestRefresh", { ...connected, continuationCursor: job.continuationCursor });
        job = await jobEnd(t, connected, next.id);
        sizes.push((await allContent(t, connected, window)).items.length);
      }
      t.equal([job.status, job.completeForWindow, job.incompleteReason], ["SUCCEEDED", true, null], "the last one");
      t.holds(
        sizes.length > 2 && sizes.every((size, index) => index === 0 || size > (sizes[index - 1] ?? 0)),
        "each adds posts",
        sizes,
      );
      const { publishedAfter, publishedBefore } = window;
      const page = await t.get("content", { ...connected, window: { publishedAfter, publishedBefore, first: 1 } });
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
      const shifted = { ...window, publishedAfter: new Date(Date.parse(window.publishedAfter) + 1).toISOString() };
      await t.refuses(
        "requestRefresh",
        { ...connected, continuationCursor: cursor, window: shifted },
        "BAD_USER_INPUT",
        "another window",
      );
      for (const bad of ["", "x", "a\0b", "\ud800", flip(cursor), `${cursor}A`, cursor.slice(3), "a".repeat(5_000)]) {
        await t.refuses(
          "requestRefresh",
          { ...connected, continuationCursor: bad },
          "BAD_USER_INPUT",
          bad.slice(0, 12),
        );
      }
      const other = await connectAndSettle(t);
      await t.refuses(
        "requestRefresh",
        { scope: other.scope, connectionId: other.connectionId, continuationCursor: cursor },
        "BAD_USER_INPUT",
        "another connection",
      );
      await t.get("requestRefresh", { ...connected, continuationCursor: cursor, window });
    },
  },
  {
    id: "S4.requestRefresh.no-cursor-when-complete",
    title: "A scan that covered its window has no continuation cursor.",
    reaches: ["field:SyncJob.continuationCursor"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const job = await scan(t, connected, daysBack(await serviceNow(t), 10));
      t.equal([job.completeForWindow, job.continuationCursor], [true, null], "the job");
    },
  },
]);
