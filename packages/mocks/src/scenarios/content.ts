import type { ScanIncompleteReason } from "@social-connect/contract";
import { LIMITS, SCAN_INCOMPLETE_REASONS } from "@social-connect/contract";
import { durationText } from "@social-connect/domain";
import type { ReadAccount, ScenarioBuilder } from "./builder.ts";
import { scenario } from "./scenario.ts";

/** Posts and metrics: complete, partial, expired, deleted. */
export const CONTENT = {
  "connected-with-content": scenario({
    summary: "An account is linked, and its posts of the last week have been read with metrics.",
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
    prepare: (builder) => builder.linkAndRead(),
  }),

  "scan-running": scenario({
    summary: "An account is linked, and its first scan is running.",
    reaches: ["SyncStatus.RUNNING", "JobStatus.RUNNING", "incompleteReason.SCAN_RUNNING"],
    seenBy: ["connections", "syncJob", "content"],
    prepare: (builder) => {
      const linked = builder.link();
      const jobId = builder.scanOf(linked.connectionId);
      builder.mock.job(jobId).start();
      return { ...linked, jobId, window: builder.windowOf(jobId) };
    },
  }),

  "partial-scan": scenario({
    summary: "A scan stopped at maxItems. The job has a cursor to continue.",
    reaches: ["SyncStatus.PARTIAL", "incompleteReason.MAX_ITEMS_REACHED"],
    seenBy: ["connections", "syncJob"],
    prepare: (builder) => scanStopped(builder, "MAX_ITEMS_REACHED", "channel-1"),
  }),

  "partial-scans": scenario({
    summary: "Four accounts whose scans stopped early, each for a different reason.",
    reaches: SCAN_INCOMPLETE_REASONS.map((reason) => `incompleteReason.${reason}`),
    seenBy: ["syncJob"],
    prepare: async (builder) => {
      const stopped: Partial<Record<ScanIncompleteReason, ReadAccount & { readonly jobId: string }>> = {};
      for (const [index, reason] of SCAN_INCOMPLETE_REASONS.entries()) {
        stopped[reason] = await scanStopped(builder, reason, `channel-${index + 1}`);
      }
      return { byReason: stopped as Readonly<Record<ScanIncompleteReason, ReadAccount & { readonly jobId: string }>> };
    },
  }),

  "scan-failed": scenario({
    summary: "The provider is unavailable for every scan, and a retry is scheduled.",
    reaches: ["SyncStatus.FAILED", "incompleteReason.SCAN_FAILED"],
    seenBy: ["connections", "content"],
    prepare: async (builder) => {
      const linked = builder.link({ account: "down" });
      const jobId = builder.scanOf(linked.connectionId);
      while (builder.mock.job(jobId).state.nextRetryAt === null) await builder.mock.step();
      return { ...linked, jobId, window: builder.windowOf(jobId) };
    },
  }),

  "old-scans": scenario({
    summary: "An account's older posts were read two days ago, and the oldest never.",
    reaches: ["incompleteReason.SCAN_STALE", "incompleteReason.NOT_SCANNED"],
    seenBy: ["content"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      const stale = builder.window(24, 10);
      builder.refresh(read.connectionId, { window: stale });
      await builder.mock.settle();
      await builder.mock.clock.advance("2d");
      return { connectionId: read.connectionId, stale, neverScanned: builder.window(80, 60) };
    },
  }),

  "expired-content": scenario({
    summary: `Posts were last read more than ${durationText(LIMITS.contentRetentionMs)} ago, and only their ids remain.`,
    reaches: ["incompleteReason.CONTENT_EXPIRED", "reason.EXPIRED", "ContentKind.UNKNOWN", "Availability.UNAVAILABLE"],
    seenBy: ["contentItem", "content"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      await builder.mock.clock.advance(LIMITS.contentRetentionMs);
      return read;
    },
  }),

  "posts-gone": scenario({
    summary: "One of the read posts was deleted, and one became private.",
    reaches: ["reason.DELETED_AT_PROVIDER", "reason.PRIVATE_AT_PROVIDER"],
    seenBy: ["content"],
    prepare: async (builder) => {
      const { mock } = builder;
      const read = await builder.linkAndRead();
      const { account } = mock.connection(read.connectionId);
      const [deleted = "", hidden = ""] = read.providerContentIds;
      account.change(deleted, { visibility: "deleted" });
      account.change(hidden, { visibility: "private" });
      builder.refresh(read.connectionId, { window: read.window });
      await mock.settle();
      return { ...read, deletedId: deleted, privateId: hidden };
    },
  }),

  "numbers-missing": scenario({
    summary: "Posts whose metrics are hidden, missing, not offered, or not granted.",
    reaches: [
      "reason.METRIC_HIDDEN",
      "reason.METRIC_NOT_GIVEN",
      "reason.METRIC_NOT_OFFERED",
      "reason.NOT_GRANTED",
      "Availability.UNSUPPORTED",
      "Availability.NOT_GRANTED",
    ],
    seenBy: ["content"],
    prepare: async (builder) => {
      const { mock } = builder;
      const hidden = await builder.linkAndRead({ account: "hidden-likes" });
      const notGiven = await builder.linkAndRead({ account: "missing-metrics" });
      const withoutShares = await builder.linkAndRead({ provider: "PROVIDER_C", account: "no-shares" });
      const registration = mock.registration("PROVIDER_C");
      registration.setScopes("CONTENT_METRICS", registration.scopesOf("PROFILE"));
      const notGranted = await builder.linkAndRead({ provider: "PROVIDER_C" });
      return { hidden, notGiven, withoutShares, notGranted };
    },
  }),

  "unusual-texts": scenario({
    summary: "Names and captions in many scripts, markup, control characters, and counts beyond 2^53.",
    reaches: ["ContentKind.VIDEO"],
    seenBy: ["content"],
    prepare: async (builder) => ({
      scripts: await builder.linkAndRead({ account: "unicode" }),
      hostile: await builder.linkAndRead({ account: "hostile-text" }),
    }),
  }),

  "thousand-posts": scenario({
    summary: "An account with a thousand posts. A scan of nearly all of them stopped at the first hundred.",
    reaches: ["SyncStatus.PARTIAL", "incompleteReason.MAX_ITEMS_REACHED"],
    seenBy: ["connections", "syncJob"],
    prepare: async (builder) => {
      const linked = await builder.linkAndRead({ account: "thousand-posts" });
      const jobId = builder.refresh(linked.connectionId, { window: builder.window(83, 0) });
      await builder.mock.settle();
      return { ...linked, ...builder.readResult(linked.connectionId), jobId };
    },
  }),
} as const;

async function scanStopped(
  builder: ScenarioBuilder,
  reason: ScanIncompleteReason,
  account: string,
): Promise<ReadAccount & { readonly jobId: string }> {
  const linked = builder.link({ account });
  const jobId = builder.scanOf(linked.connectionId);
  builder.mock.job(jobId).succeed({ incompleteReason: reason });
  await builder.mock.settle();
  return { ...linked, ...builder.readResult(linked.connectionId), jobId };
}
