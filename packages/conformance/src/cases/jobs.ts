import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { DOWN, whileFault, whileRegistration } from "./support/accounts.ts";
import { connect, connectAndSettle } from "./support/connections.ts";
import { allContent } from "./support/content.ts";
import { daysBack, jobEnd, requestLookup, scan, serviceNow, untilRetry } from "./support/jobs.ts";

export const JOB_CASES = defineCasesWith({ needs: ["provider"] })({
  "S3.job.succeeds": {
    title: "A scan is QUEUED when it is requested, and SUCCEEDED when it has read its window.",
    reaches: ["transition:job.QUEUED.SUCCEEDED", "operation:requestRefresh", "operation:syncJob"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = daysBack(await serviceNow(t), 20, 10);
      const asked = await t.get("requestRefresh", { ...connected, window });
      t.shows(asked, { status: "QUEUED", errorCode: null, nextRetryAt: null, continuationCursor: null }, "at first");
      const expected = { ...asked, status: "SUCCEEDED", completeForWindow: true, incompleteReason: null };
      t.equal(await jobEnd(t, connected, asked.id), expected, "at the end: only the fields of a scan");
    },
  },
  ...caseForEach(["rate-limited", "flaky-5xx"], (account) => ({
    id: `S3.job.retries-${account}`,
    title: `A job that the provider refuses temporarily (${account}) waits with nextRetryAt, is QUEUED, and succeeds.`,
    reaches: ["transition:job.RUNNING.QUEUED", "field:SyncJob.nextRetryAt", "enum:JobStatus.SUCCEEDED"],
    run: async (t) => {
      const connected = await connect(t, { account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const id = await requestLookup(t, connected, "PROVIDER_C", account);
      t.equal((await untilRetry(t, connected, id)).status, "QUEUED", "status while it waits");
      const ended = await jobEnd(t, connected, id, 90_000);
      t.shows(ended, { status: "SUCCEEDED", nextRetryAt: null }, "its end");
    },
  })),
  "S3.job.rotating-refresh": {
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
  "S8.read-jobs.exact": {
    title: "Exactly 20 of 60 concurrent read jobs are accepted; the others are RATE_LIMITED for 60 seconds.",
    holds: ["account:B:thousand-posts"],
    reaches: ["limit:read-jobs"],
    run: async (t) => {
      const [provider, account] = ["PROVIDER_B", "thousand-posts"] as const;
      const connected = await connectAndSettle(t, { provider, account });
      const { items } = await allContent(t, connected, daysBack(await serviceNow(t), 8));
      t.holds(items.length >= 60, "there are 60 posts", items.length);
      const ids = items.slice(0, 60).map((item) => item.providerContentId);
      // The first jobs must not end before the last call is answered: they wait for their next attempts.
      await whileFault(t, provider, "list", DOWN, { account }, async () => {
        const { scope, connectionId } = connected;
        // One second: a busy process refused the call before it reached the limit.
        const ask = (providerContentId: string) =>
          t.eventually(
            "a call that the process has no time for is answered later",
            () => t.call("requestRefresh", { scope, connectionId, providerContentId }),
            (outcome) => outcome.ok || outcome.retryAfterSeconds !== 1,
          );
        const outcomes = await Promise.all(ids.map(ask));
        t.equal(outcomes.filter((outcome) => outcome.ok).length, 20, "accepted jobs");
        for (const outcome of outcomes) {
          if (!outcome.ok) t.shows(outcome, { code: "RATE_LIMITED", retryAfterSeconds: 60 }, "the others");
        }
        const running = outcomes.findIndex((outcome) => outcome.ok);
        const again = await ask(ids[running] ?? "");
        t.holds(again.ok, "the job of a post in flight is still returned", again.ok ? null : again.code);
        const lookup = { scope, connectionId, url: "https://www.tiktok.com/@a/video/1" };
        await t.refuses("requestContentLookup", lookup, "RATE_LIMITED", "a lookup is a read job too");
      });
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.job.grant-gone-${provider}`,
    title: `A job that detects a revoked grant at ${provider} fails with RECONNECT_REQUIRED.`,
    reaches: ["errorCode:RECONNECT_REQUIRED", "enum:JobStatus.FAILED"],
    run: async (t) => {
      const account = "removed-app";
      const connected = await connect(t, { provider, account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const job = await jobEnd(t, connected, await requestLookup(t, connected, provider, account));
      t.shows(job, { status: "FAILED", errorCode: "RECONNECT_REQUIRED" }, "the job");
    },
  })),
  ...caseForEach(
    [
      ["AUTHORIZATION_SUSPENDED", "paused", "PAUSED"],
      ["CAPABILITY_UNAVAILABLE", "not-served", "serves-none"],
    ],
    ([code, what, state]) => ({
      id: `S3.job.${what}`,
      title: `A job whose registration is ${what} when it runs fails with ${code}.`,
      lane: "alone",
      needs: ["provider", "operator"],
      reaches: [`errorCode:${code}`, "enum:JobStatus.FAILED"],
      run: async (t) => {
        const connected = await connect(t, { account: "flaky-5xx", capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
        const id = await requestLookup(t, connected, "PROVIDER_C", "flaky-5xx");
        await untilRetry(t, connected, id);
        await whileRegistration(t, "PROVIDER_C", state, async () => {
          const job = await jobEnd(t, connected, id, 60_000);
          t.shows(job, { status: "FAILED", errorCode: code }, "the job");
        });
      },
    }),
  ),
});
