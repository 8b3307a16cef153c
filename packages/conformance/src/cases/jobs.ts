import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { allContent, connect, connectAndSettle, daysBack, jobEnd, scan, serviceNow } from "./support/journeys.ts";

export const JOB_CASES = defineCasesWith({ needs: ["provider"] }, [
  {
    id: "S3.job.succeeds",
    title: "A scan is QUEUED when it is requested, and SUCCEEDED when it has read its window.",
    reaches: [
      "transition:job.QUEUED.SUCCEEDED",
      "operation:requestRefresh",
      "operation:syncJob",
      "enum:JobStatus.QUEUED",
      "enum:JobStatus.SUCCEEDED",
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = daysBack(await serviceNow(t), 20, 10);
      const asked = await t.get("requestRefresh", { ...connected, window });
      t.equal(
        [asked.status, asked.errorCode, asked.nextRetryAt, asked.continuationCursor],
        ["QUEUED", null, null, null],
        "at first",
      );
      const ended = await jobEnd(t, connected, asked.id);
      t.equal(
        ended,
        { ...asked, status: "SUCCEEDED", completeForWindow: true, incompleteReason: null },
        "at the end: only the fields of a scan",
      );
    },
  },
  ...caseForEach(["rate-limited", "flaky-5xx"], (account) => ({
    id: `S3.job.retries-${account}`,
    title: `A job that the provider refuses temporarily (${account}) waits with nextRetryAt, is QUEUED, and succeeds.`,
    reaches: ["transition:job.RUNNING.QUEUED", "field:SyncJob.nextRetryAt", "enum:JobStatus.SUCCEEDED"],
    run: async (t) => {
      const connected = await connect(t, { account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const [post] = (await t.provider.posts("PROVIDER_C", account)).filter((one) => one.visibility === "public");
      const { id } = await t.get("requestContentLookup", { ...connected, url: post?.url ?? "" });
      const waiting = await t.eventually(
        "the job waits for a retry",
        () => t.get("syncJob", { ...connected, id }),
        (job) => job.nextRetryAt !== null,
      );
      t.equal(waiting.status, "QUEUED", "status while it waits");
      const ended = await jobEnd(t, connected, id, 90_000);
      t.equal([ended.status, ended.nextRetryAt], ["SUCCEEDED", null], "its end");
    },
  })),
  {
    id: "S3.job.rotating-refresh",
    title: "Reads continue across renewals of a short-lived credential that is valid for one use.",
    reaches: ["enum:JobStatus.SUCCEEDED"],
    run: async (t) => {
      for (const provider of ["PROVIDER_A", "PROVIDER_B"] as const) {
        const connected = await connectAndSettle(t, { provider, account: "rotating-refresh" });
        const now = await serviceNow(t);
        for (const from of [10, 11, 12])
          t.equal((await scan(t, connected, daysBack(now, from, 8))).status, "SUCCEEDED", provider);
      }
    },
  },
  {
    id: "S8.read-jobs.exact",
    title: "Of 60 concurrent read jobs exactly 20 are accepted; the others are RATE_LIMITED for 60 seconds.",
    holds: ["account:B:thousand-posts"],
    reaches: ["limit:read-jobs", "code:RATE_LIMITED"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B", account: "thousand-posts" });
      const { items } = await allContent(t, connected, daysBack(await serviceNow(t), 8));
      t.holds(items.length >= 60, "there are 60 posts", items.length);
      const end = await t.provider.fault(
        "PROVIDER_B",
        "list",
        { kind: "delay", delayMs: 6_000 },
        { account: "thousand-posts" },
      );
      try {
        const { scope, connectionId } = connected;
        const outcomes = await Promise.all(
          items
            .slice(0, 60)
            .map((item) =>
              t.call("requestRefresh", { scope, connectionId, providerContentId: item.providerContentId }),
            ),
        );
        t.equal(outcomes.filter((outcome) => outcome.ok).length, 20, "accepted jobs");
        for (const outcome of outcomes) {
          if (!outcome.ok) t.equal([outcome.code, outcome.retryAfterSeconds], ["RATE_LIMITED", 60], "the others");
        }
        const running = outcomes.findIndex((outcome) => outcome.ok);
        const again = await t.call("requestRefresh", {
          scope,
          connectionId,
          providerContentId: items[running]?.providerContentId ?? "",
        });
        t.holds(again.ok, "the job of a post in flight is still returned", again.ok ? null : again.code);
        t.fails(
          await t.call("requestContentLookup", { scope, connectionId, url: "https://www.tiktok.com/@a/video/1" }),
          "RATE_LIMITED",
          "a lookup is a read job too",
        );
      } finally {
        await end();
      }
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.job.grant-gone-${provider}`,
    title: `A job that detects a revoked grant at ${provider} fails with RECONNECT_REQUIRED.`,
    reaches: ["errorCode:RECONNECT_REQUIRED", "enum:JobStatus.FAILED"],
    run: async (t) => {
      const connected = await connect(t, {
        provider,
        account: "removed-app",
        capabilities: ["PROFILE", "CONTENT_LOOKUP"],
      });
      const [post] = await t.provider.posts(provider, "removed-app");
      const { id } = await t.get("requestContentLookup", { ...connected, url: post?.url ?? "" });
      const job = await jobEnd(t, connected, id);
      t.equal([job.status, job.errorCode], ["FAILED", "RECONNECT_REQUIRED"], "the job");
    },
  })),
  ...caseForEach(
    [
      ["AUTHORIZATION_SUSPENDED", "paused"],
      ["CAPABILITY_UNAVAILABLE", "not-served"],
    ],
    ([code, what]) => ({
      id: `S3.job.${what}`,
      title: `A job whose registration is ${what} when it runs fails with ${code}.`,
      lane: "alone",
      needs: ["provider", "operator"],
      reaches: [`errorCode:${code}`, "enum:JobStatus.FAILED"],
      run: async (t) => {
        const connected = await connect(t, { account: "flaky-5xx", capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
        const [post] = await t.provider.posts("PROVIDER_C", "flaky-5xx");
        const { id } = await t.get("requestContentLookup", { ...connected, url: post?.url ?? "" });
        await t.eventually(
          "it waits",
          () => t.get("syncJob", { ...connected, id }),
          (job) => job.nextRetryAt !== null,
        );
        const operator = t.driver("operator");
        const turn = (on: boolean) =>
          what === "paused"
            ? operator.setRegistrationStatus("PROVIDER_C", on ? "PUBLISHED" : "PAUSED")
            : operator.setServed("PROVIDER_C", on);
        await turn(false);
        try {
          const job = await jobEnd(t, connected, id, 60_000);
          t.equal([job.status, job.errorCode], ["FAILED", code], "the job");
        } finally {
          await turn(true);
        }
      },
    }),
  ),
]);
