import type { ScanIncompleteReason } from "@social-connect/contract";
import { SCAN_INCOMPLETE_REASONS } from "@social-connect/contract";
import { scenario } from "./scenario.ts";
import type { ReadAccount, Stage } from "./stage.ts";

/** Posts and their numbers: read, partly read, too old, gone. */
export const CONTENT = {
  "connected-with-content": scenario({
    summary: "An account is linked, and its posts of the last week have been read with their numbers.",
    reaches: [
      "ConnectionStatus.CONNECTED",
      "SyncStatus.READY",
      "JobStatus.SUCCEEDED",
      "Availability.AVAILABLE",
      "Capability.PROFILE",
      "Capability.CONTENT_LIST",
      "Capability.CONTENT_LOOKUP",
      "Capability.CONTENT_METRICS",
      "MetricName.VIEWS",
      "MetricName.LIKES",
      "MetricName.COMMENTS",
      "MetricName.SHARES",
    ],
    seenBy: ["connections", "content", "syncJob"],
    prepare: (stage) => stage.linkAndRead(),
  }),

  "scan-running": scenario({
    summary: "An account is linked, and the first scan of its posts is under way.",
    reaches: ["SyncStatus.RUNNING", "JobStatus.RUNNING", "incompleteReason.SCAN_RUNNING"],
    seenBy: ["connections", "syncJob", "content"],
    prepare: (stage) => {
      const linked = stage.link();
      const jobId = stage.scanOf(linked.connectionId);
      stage.mock.job(jobId).start();
      return { ...linked, jobId, window: stage.windowOf(jobId) };
    },
  }),

  "partial-scan": scenario({
    summary: "A scan stopped at its number of posts; the job has a cursor with which to go on.",
    reaches: ["SyncStatus.PARTIAL", "incompleteReason.MAX_ITEMS_REACHED"],
    seenBy: ["connections", "syncJob"],
    prepare: (stage) => scanStopped(stage, "MAX_ITEMS_REACHED", "channel-1"),
  }),

  "partial-scans": scenario({
    summary: "Four accounts whose scans stopped early, each for another reason.",
    reaches: SCAN_INCOMPLETE_REASONS.map((reason) => `incompleteReason.${reason}`),
    seenBy: ["syncJob"],
    prepare: async (stage) => {
      const stopped: Partial<Record<ScanIncompleteReason, ReadAccount & { readonly jobId: string }>> = {};
      for (const [index, reason] of SCAN_INCOMPLETE_REASONS.entries()) {
        stopped[reason] = await scanStopped(stage, reason, `channel-${index + 1}`);
      }
      return { byReason: stopped as Readonly<Record<ScanIncompleteReason, ReadAccount & { readonly jobId: string }>> };
    },
  }),

  "scan-failed": scenario({
    summary: "The provider breaks down at every scan, and the next try is planned.",
    reaches: ["SyncStatus.FAILED", "incompleteReason.SCAN_FAILED"],
    seenBy: ["connections", "content"],
    prepare: async (stage) => {
      const linked = stage.link({ account: "down" });
      const jobId = stage.scanOf(linked.connectionId);
      while (stage.mock.job(jobId).state.nextRetryAt === null) await stage.mock.step();
      return { ...linked, jobId, window: stage.windowOf(jobId) };
    },
  }),

  "old-scans": scenario({
    summary: "An account's older posts were read two days ago, and those before them never.",
    reaches: ["incompleteReason.SCAN_STALE", "incompleteReason.NOT_SCANNED"],
    seenBy: ["content"],
    prepare: async (stage) => {
      const read = await stage.linkAndRead();
      const stale = stage.window(24, 10);
      stage.refresh(read.connectionId, { window: stale });
      await stage.mock.settle();
      await stage.mock.clock.advance("2d");
      return { connectionId: read.connectionId, stale, neverScanned: stage.window(80, 60) };
    },
  }),

  "expired-content": scenario({
    summary: "Posts were last seen more than 30 days ago: nothing is left of them but their ids.",
    reaches: ["incompleteReason.CONTENT_EXPIRED", "reason.EXPIRED", "ContentKind.UNKNOWN", "Availability.UNAVAILABLE"],
    seenBy: ["contentItem", "content"],
    prepare: async (stage) => {
      const read = await stage.linkAndRead();
      await stage.mock.clock.advance("30d");
      return read;
    },
  }),

  "posts-gone": scenario({
    summary: "Of the posts that were read, one has been deleted and one made private since.",
    reaches: ["reason.DELETED_AT_PROVIDER", "reason.PRIVATE_AT_PROVIDER"],
    seenBy: ["content"],
    prepare: async (stage) => {
      const { mock } = stage;
      const read = await stage.linkAndRead();
      const { account } = mock.connection(read.connectionId);
      const [deleted = "", hidden = ""] = read.providerContentIds;
      account.change(deleted, { visibility: "deleted" });
      account.change(hidden, { visibility: "private" });
      stage.refresh(read.connectionId, { window: read.window });
      await mock.settle();
      return { ...read, deletedId: deleted, privateId: hidden };
    },
  }),

  "numbers-missing": scenario({
    summary: "Posts whose numbers are partly hidden, not given, not offered, or not granted.",
    reaches: [
      "reason.METRIC_HIDDEN",
      "reason.METRIC_NOT_GIVEN",
      "reason.METRIC_NOT_OFFERED",
      "reason.NOT_GRANTED",
      "Availability.UNSUPPORTED",
      "Availability.NOT_GRANTED",
    ],
    seenBy: ["content"],
    prepare: async (stage) => {
      const { mock } = stage;
      const hidden = await stage.linkAndRead({ account: "hidden-likes" });
      const notGiven = await stage.linkAndRead({ account: "missing-metrics" });
      const withoutShares = await stage.linkAndRead({ provider: "PROVIDER_C", account: "no-shares" });
      const registration = mock.registration("PROVIDER_C");
      registration.setScopes("CONTENT_METRICS", registration.scopesOf("PROFILE"));
      const notGranted = await stage.linkAndRead({ provider: "PROVIDER_C" });
      return { hidden, notGiven, withoutShares, notGranted };
    },
  }),

  "unusual-texts": scenario({
    summary: "Names and captions in many scripts, markup, control characters, and counts beyond 2^53.",
    reaches: ["ContentKind.VIDEO"],
    seenBy: ["content"],
    prepare: async (stage) => ({
      scripts: await stage.linkAndRead({ account: "unicode" }),
      hostile: await stage.linkAndRead({ account: "hostile-text" }),
    }),
  }),

  "thousand-posts": scenario({
    summary: "An account with a thousand posts; a scan of nearly all of them stopped at its first hundred.",
    reaches: ["SyncStatus.PARTIAL", "incompleteReason.MAX_ITEMS_REACHED"],
    seenBy: ["connections", "syncJob"],
    prepare: async (stage) => {
      const linked = await stage.linkAndRead({ account: "thousand-posts" });
      const jobId = stage.refresh(linked.connectionId, { window: stage.window(83, 0) });
      await stage.mock.settle();
      return { ...linked, ...stage.whatWasRead(linked.connectionId), jobId };
    },
  }),
} as const;

async function scanStopped(
  stage: Stage,
  reason: ScanIncompleteReason,
  account: string,
): Promise<ReadAccount & { readonly jobId: string }> {
  const linked = stage.link({ account });
  const jobId = stage.scanOf(linked.connectionId);
  stage.mock.job(jobId).succeed({ incompleteReason: reason });
  await stage.mock.settle();
  return { ...linked, ...stage.whatWasRead(linked.connectionId), jobId };
}
