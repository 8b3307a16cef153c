import { LIMITS, SCAN_INCOMPLETE_REASONS, type ScanIncompleteReason } from "@social-connect/contract";
import { durationText } from "@social-connect/domain";
import type { ReadAccount, ScenarioBuilder, StartedScan } from "./builder.ts";
import { scenario } from "./scenario.ts";

export const CONTENT = {
  "connected-with-content": scenario({
    summary: "An account is linked, and its posts of the last week have been read with metrics.",
    reaches: {
      ConnectionStatus: ["CONNECTED"],
      SyncStatus: ["READY"],
      JobStatus: ["SUCCEEDED"],
      Availability: ["AVAILABLE"],
      Capability: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
      MetricName: ["VIEWS", "LIKES", "COMMENTS", "SHARES"],
    },
    seenBy: ["connections", "content", "syncJob"],
    prepare: (builder) => builder.linkAndRead(),
  }),

  "scan-running": scenario({
    summary: "An account is linked, and its first scan is running.",
    reaches: { SyncStatus: ["RUNNING"], JobStatus: ["RUNNING"], incompleteReason: ["SCAN_RUNNING"] },
    seenBy: ["connections", "syncJob", "content"],
    prepare: (builder) => {
      const scan = builder.linkAndScan();
      builder.mock.job(scan.jobId).start();
      return { ...scan, window: builder.windowOf(scan.jobId) };
    },
  }),

  "partial-scan": scenario({
    summary: "A scan stopped at maxItems. The job has a cursor to continue.",
    reaches: { SyncStatus: ["PARTIAL"], incompleteReason: ["MAX_ITEMS_REACHED"] },
    seenBy: ["connections", "syncJob"],
    prepare: (builder) => scanStopped(builder, "MAX_ITEMS_REACHED", "channel-1"),
  }),

  "partial-scans": scenario({
    summary: "Four accounts whose scans stopped early, each for a different reason.",
    reaches: { incompleteReason: SCAN_INCOMPLETE_REASONS },
    seenBy: ["syncJob"],
    prepare: async (builder) => {
      const stopped: Partial<Record<ScanIncompleteReason, StoppedScan>> = {};
      for (const [index, reason] of SCAN_INCOMPLETE_REASONS.entries()) {
        stopped[reason] = await scanStopped(builder, reason, `channel-${index + 1}`);
      }
      return { byReason: stopped as Readonly<Record<ScanIncompleteReason, StoppedScan>> };
    },
  }),

  "scan-failed": scenario({
    summary: "The provider is unavailable for every scan, and a retry is scheduled.",
    reaches: { SyncStatus: ["FAILED"], incompleteReason: ["SCAN_FAILED"] },
    seenBy: ["connections", "content"],
    prepare: async (builder) => {
      const scan = builder.linkAndScan({ account: "down" });
      await builder.stepToRetry(scan.jobId);
      return { ...scan, window: builder.windowOf(scan.jobId) };
    },
  }),

  "old-scans": scenario({
    summary: "An account's older posts were read two days ago, and the oldest never.",
    reaches: { incompleteReason: ["SCAN_STALE", "NOT_SCANNED"] },
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
    reaches: {
      incompleteReason: ["CONTENT_EXPIRED"],
      reason: ["EXPIRED"],
      ContentKind: ["UNKNOWN"],
      Availability: ["UNAVAILABLE"],
    },
    seenBy: ["contentItem", "content"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      await builder.mock.clock.advance(LIMITS.contentRetentionMs);
      return read;
    },
  }),

  "posts-gone": scenario({
    summary: "One of the read posts was deleted, and one became private.",
    reaches: { reason: ["DELETED_AT_PROVIDER", "PRIVATE_AT_PROVIDER"] },
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
    reaches: {
      reason: ["METRIC_HIDDEN", "METRIC_NOT_GIVEN", "METRIC_NOT_OFFERED", "NOT_GRANTED"],
      Availability: ["UNSUPPORTED", "NOT_GRANTED"],
    },
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
    reaches: { ContentKind: ["VIDEO"] },
    seenBy: ["content"],
    prepare: async (builder) => ({
      scripts: await builder.linkAndRead({ account: "unicode" }),
      hostile: await builder.linkAndRead({ account: "hostile-text" }),
    }),
  }),

  "thousand-posts": scenario({
    summary: "An account with a thousand posts. A scan of nearly all of them stopped at the first hundred.",
    reaches: { SyncStatus: ["PARTIAL"], incompleteReason: ["MAX_ITEMS_REACHED"] },
    seenBy: ["connections", "syncJob"],
    prepare: async (builder) => {
      const linked = await builder.linkAndRead({ account: "thousand-posts" });
      const jobId = builder.refresh(linked.connectionId, { window: builder.window(83, 0) });
      await builder.mock.settle();
      return { ...linked, ...builder.readResult(linked.connectionId), jobId };
    },
  }),
} as const;

type StoppedScan = ReadAccount & StartedScan;

async function scanStopped(
  builder: ScenarioBuilder,
  incompleteReason: ScanIncompleteReason,
  account: string,
): Promise<StoppedScan> {
  const scan = builder.linkAndScan({ account });
  builder.mock.job(scan.jobId).succeed({ incompleteReason });
  await builder.mock.settle();
  return { ...scan, ...builder.readResult(scan.connectionId) };
}
