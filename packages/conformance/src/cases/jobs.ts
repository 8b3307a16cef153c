import { DOWN, SERVES_NONE } from "../context/accounts.ts";
import { daysBack } from "../context/jobs.ts";
import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";

export const JOB_CASES = defineCasesWith({ needs: ["provider"] })({
  "S3.job.succeeds": {
    title: "A scan is QUEUED when it is requested, and SUCCEEDED when it has read its window.",
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const window = daysBack(await t.now(), 20, 10);
      const asked = await t.get("requestRefresh", { ...connected, window });
      t.shows(asked, { status: "QUEUED", errorCode: null, nextRetryAt: null, continuationCursor: null }, "at first");
      const expected = { ...asked, status: "SUCCEEDED", completeForWindow: true, incompleteReason: null };
      t.equal(await t.jobEnd(connected, asked.id), expected, "at the end: only the fields of a scan");
    },
  },
  ...caseForEach(["rate-limited", "flaky-5xx"], (account) => ({
    id: `S3.job.retries-${account}`,
    title: `A job that the provider refuses temporarily (${account}) waits with nextRetryAt, is QUEUED, and succeeds.`,
    run: async (t) => {
      const connected = await t.connect({ account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const id = await t.requestLookup(connected, "PROVIDER_C", account);
      t.equal((await t.untilRetry(connected, id)).status, "QUEUED", "status while it waits");
      const ended = await t.jobEnd(connected, id);
      t.shows(ended, { status: "SUCCEEDED", nextRetryAt: null }, "its end");
    },
  })),
  "S3.job.rotating-refresh": {
    title: "Reads continue across renewals of a short-lived credential that is valid for one use.",
    run: async (t) => {
      for (const provider of ["PROVIDER_A", "PROVIDER_B"] as const) {
        const connected = await t.connectAndSettle({ provider, account: "rotating-refresh" });
        const now = await t.now();
        for (const from of [10, 11, 12])
          t.equal((await t.scan(connected, daysBack(now, from, 8))).status, "SUCCEEDED", provider);
      }
    },
  },
  "S8.read-jobs.exact": {
    title: "Exactly 20 of 60 concurrent read jobs are accepted; the others are RATE_LIMITED for 60 seconds.",
    holds: ["account:B:thousand-posts"],
    run: async (t) => {
      const [provider, account] = ["PROVIDER_B", "thousand-posts"] as const;
      const connected = await t.connectAndSettle({ provider, account });
      const { items } = await t.allContent(connected, daysBack(await t.now(), 8));
      t.holds(items.length >= 60, "there are 60 posts", items.length);
      const ids = items.slice(0, 60).map((item) => item.providerContentId);
      // The first jobs must not end before the last call is answered: they wait for their next attempts.
      await t.whileFault(provider, "list", DOWN, { account }, async () => {
        // One second: a busy process refused the call before it reached the limit.
        const ask = (providerContentId: string) =>
          t.eventually(
            "a call that the process has no time for is answered later",
            () => t.call("requestRefresh", { ...connected, providerContentId }),
            (outcome) => outcome.ok || outcome.retryAfterSeconds !== 1,
          );
        const outcomes = await Promise.all(ids.map(ask));
        for (const { retryAfterSeconds } of t.exactly(20, outcomes, ["RATE_LIMITED"]).failures)
          t.equal(retryAfterSeconds, 60, "retryAfterSeconds of the others");
        const running = outcomes.findIndex((outcome) => outcome.ok);
        const again = await ask(ids[running] ?? "");
        t.holds(again.ok, "the job of a post in flight is still returned", again.ok ? null : again.code);
        const lookup = { ...connected, url: "https://www.tiktok.com/@a/video/1" };
        await t.refuses("requestContentLookup", lookup, "RATE_LIMITED", "a lookup is a read job too");
      });
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.job.grant-gone-${provider}`,
    title: `A job that detects a revoked grant at ${provider} fails with RECONNECT_REQUIRED.`,
    run: async (t) => {
      const account = "removed-app";
      const connected = await t.connect({ provider, account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const job = await t.jobEnd(connected, await t.requestLookup(connected, provider, account));
      t.shows(job, { status: "FAILED", errorCode: "RECONNECT_REQUIRED" }, "the job");
    },
  })),
  ...caseForEach(
    [
      ["AUTHORIZATION_SUSPENDED", "paused", "PAUSED"],
      ["CAPABILITY_UNAVAILABLE", "not-served", SERVES_NONE],
      ["CAPABILITY_UNAVAILABLE", "capability-not-served", { capabilities: ["PROFILE", "CONTENT_LIST"] }],
    ],
    ([code, what, state]) => ({
      id: `S3.job.${what}`,
      title: `A job whose registration is ${what} when it runs fails with ${code}.`,
      lane: "alone",
      needs: ["provider", "operator"],
      run: async (t) => {
        const connected = await t.connect({ account: "flaky-5xx", capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
        const id = await t.requestLookup(connected, "PROVIDER_C", "flaky-5xx");
        await t.untilRetry(connected, id);
        await t.whileRegistration("PROVIDER_C", state, async () => {
          const job = await t.jobEnd(connected, id);
          t.shows(job, { status: "FAILED", errorCode: code }, "the job");
        });
      },
    }),
  ),
});
