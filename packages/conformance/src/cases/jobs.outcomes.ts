import type { SyncJob } from "../_generated/consumerWire.ts";
import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import type { Connected } from "./support/journeys.ts";
import { connect, connectAndSettle, daysBack, scan, serviceNow } from "./support/journeys.ts";

const HOUR_MS = 3_600_000;
const IN_FLIGHT = ["QUEUED", "RUNNING"];

/** Runs a retried job to its end by moving to each retry time. */
async function giveUp(t: CaseContext, connected: Connected, id: string): Promise<SyncJob> {
  let waits = 0;
  for (;;) {
    const job = await t.eventually(
      "the job was attempted",
      () => t.get("syncJob", { ...connected, id }),
      (one) => one.nextRetryAt !== null || !IN_FLIGHT.includes(one.status),
    );
    if (!IN_FLIGHT.includes(job.status)) {
      t.holds(waits > 1, "it was attempted more than twice", waits);
      return job;
    }
    waits += 1;
    t.holds(waits <= 60, "attempts are limited", waits);
    const retryAt = job.nextRetryAt ?? "";
    await t.until(new Date(Date.parse(retryAt) + 1_000));
    await t.eventually(
      "the next attempt has started",
      () => t.get("syncJob", { ...connected, id }),
      (one) => one.nextRetryAt !== retryAt,
    );
  }
}

export const JOB_ENDING_CASES = defineCasesWith({ needs: ["provider", "clock"] }, [
  ...caseForEach(
    [
      ["down", "UPSTREAM_UNAVAILABLE"],
      ["rate-limited-forever", "UPSTREAM_RATE_LIMITED"],
    ],
    ([account, code]) => ({
      id: `S3.job.given-up-${account}`,
      title: `A read that a provider never answers (${account}) ends FAILED with ${code}.`,
      lane: "timeline",
      reaches: [`errorCode:${code}`, "enum:JobStatus.FAILED", "transition:job.RUNNING.QUEUED"],
      run: async (t) => {
        const connected = await connect(t, { account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
        const [post] = await t.provider.posts("PROVIDER_C", account);
        const { id } = await t.get("requestContentLookup", { ...connected, url: post?.url ?? "" });
        const job = await giveUp(t, connected, id);
        t.equal([job.status, job.errorCode, job.nextRetryAt], ["FAILED", code, null], "the job");
      },
    }),
  ),
  {
    id: "S2.ContentPage.scan-failed",
    title: "A window whose scan failed is incomplete with SCAN_FAILED.",
    lane: "timeline",
    reaches: ["incompleteReason:SCAN_FAILED", "enum:SyncStatus.FAILED"],
    run: async (t) => {
      const connected = await connect(t, {
        provider: "PROVIDER_B",
        account: "malformed",
        capabilities: ["CONTENT_LIST"],
      });
      const window = daysBack(await serviceNow(t), 5, 1);
      for (let waitedFor: string | null = null, waits = 0; ; waits += 1) {
        const row = await t.eventually(
          "the scan was attempted",
          () => t.get("connection", { scope: connected.scope, id: connected.connectionId }),
          (one) => one.syncStatus === "FAILED" && (waitedFor === null || one.nextRetryAt !== waitedFor),
        );
        if (row.nextRetryAt === null) break;
        t.holds(waits <= 60, "attempts are limited", waits);
        waitedFor = row.nextRetryAt;
        await t.until(new Date(Date.parse(waitedFor) + 1_000));
      }
      const page = await t.eventually(
        "the page reads SCAN_FAILED",
        () => t.get("content", { ...connected, window: { ...window, first: 1 } }),
        (one) => one.pageInfo.incompleteReason === "SCAN_FAILED",
      );
      t.equal(page.pageInfo.completeForWindow, false, "completeForWindow");
      const row = await t.get("connection", { scope: connected.scope, id: connected.connectionId });
      t.equal([row.syncStatus, row.lastSuccessfulSyncAt], ["FAILED", null], "the connection");
    },
  },
  {
    id: "S2.ContentPage.rate-limited-midway",
    title:
      "A scan that a limit interrupts serves what it read, incomplete with UPSTREAM_RATE_LIMITED, and can be continued.",
    needs: ["provider"],
    holds: ["account:B:thousand-posts"],
    reaches: ["incompleteReason:UPSTREAM_RATE_LIMITED", "field:SyncJob.continuationCursor"],
    run: async (t) => {
      const connected = await connectAndSettle(t, {
        provider: "PROVIDER_B",
        account: "thousand-posts",
        capabilities: ["CONTENT_LIST", "PROFILE"],
      });
      const provider = t.provider;
      const now = await serviceNow(t);
      // The account posts every two hours: a page of 20 covers 2 days, so this window needs several pages.
      const slow = await provider.fault(
        "PROVIDER_B",
        "list",
        { kind: "delay", delayMs: 700 },
        { account: "thousand-posts", count: 2 },
      );
      const { id } = await t.get("requestRefresh", { ...connected, window: daysBack(now, 8, 1) });
      await t.eventually(
        "it runs",
        () => t.get("syncJob", { ...connected, id }),
        (job) => job.status === "RUNNING",
      );
      const limit = await provider.fault("PROVIDER_B", "list", { kind: "rate-limited" }, { account: "thousand-posts" });
      try {
        const job = await t.eventually(
          "the scan ends",
          () => t.get("syncJob", { ...connected, id }),
          (one) => !IN_FLIGHT.includes(one.status),
        );
        t.equal(
          [job.status, job.completeForWindow, job.incompleteReason],
          ["SUCCEEDED", false, "UPSTREAM_RATE_LIMITED"],
          "the job",
        );
        t.matches(job.continuationCursor, /./, "continuationCursor");
        const page = await t.get("content", { ...connected, window: { ...daysBack(now, 8, 1), first: 50 } });
        t.equal(page.pageInfo.incompleteReason, "UPSTREAM_RATE_LIMITED", "the page");
        t.holds(page.items.length > 0, "the posts that were read are served");
      } finally {
        await slow();
        await limit();
      }
    },
  },
  {
    id: "S8.continuation-cursor.age",
    title: "A continuation cursor works for 24 hours after its scan.",
    lane: "timeline",
    reaches: ["limit:continuation-cursor", "code:BAD_USER_INPUT"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const startedMs = (await serviceNow(t)).getTime();
      const job = await scan(t, connected, { ...daysBack(new Date(startedMs), 45, 10), maxItems: 3 });
      const cursor = job.continuationCursor ?? "";
      await t.until(new Date(startedMs + 24 * HOUR_MS - 60_000));
      const read = await t.get("syncJob", { ...connected, id: job.id });
      t.matches(read.continuationCursor, /./, "it is still shown a minute before");
      await t.until(new Date((await serviceNow(t)).getTime() + 2 * 60_000 + 60_000));
      t.equal(
        (await t.get("syncJob", { ...connected, id: job.id })).continuationCursor,
        null,
        "no longer shown afterwards",
      );
      await t.refuses("requestRefresh", { ...connected, continuationCursor: cursor }, "BAD_USER_INPUT");
      await t.refuses(
        "requestRefresh",
        { ...connected, continuationCursor: read.continuationCursor },
        "BAD_USER_INPUT",
      );
    },
  },
]);
