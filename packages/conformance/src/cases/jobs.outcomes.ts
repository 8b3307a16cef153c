import type { Connection, SyncJob } from "../_generated/consumerWire.ts";
import { daysBack, HOUR_MS, type Window } from "../context/jobs.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { PROVIDERS, type Provider, providersWith } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";

const IN_FLIGHT = ["QUEUED", "RUNNING"];

/** Runs a retried job to its end by moving to each retry time. */
async function giveUp(t: Steps, connected: Connected, id: string, leastWaits = 2): Promise<SyncJob> {
  let waits = 0;
  for (;;) {
    const wasTried = (one: SyncJob) => one.nextRetryAt !== null || !IN_FLIGHT.includes(one.status);
    const job = await t.untilJob(connected, id, "the job was attempted", wasTried);
    if (!IN_FLIGHT.includes(job.status)) {
      t.holds(waits >= leastWaits, "it was retried", waits);
      return job;
    }
    waits += 1;
    t.holds(waits <= 60, "attempts are limited", waits);
    const retryAt = job.nextRetryAt ?? "";
    await t.until(retryAt, 1_000);
    await t.untilJob(connected, id, "the next attempt has started", (one) => one.nextRetryAt !== retryAt);
  }
}

/** A connection whose first scan has ended, after its retries. */
async function firstScanned(t: Steps, provider: Provider, account: string, syncStatus: string, mostWaits = 3) {
  const connected = await t.connect({ provider, account, capabilities: ["CONTENT_LIST"] });
  for (let waitedFor: string | null = null, waits = 0; ; waits += 1) {
    const isAttempted = (row: Connection) =>
      !["PENDING", "RUNNING"].includes(row.syncStatus) && (waitedFor === null || row.nextRetryAt !== waitedFor);
    const row = await t.untilRow(connected, "the first scan was attempted", isAttempted);
    if (row.nextRetryAt === null) {
      t.equal(row.syncStatus, syncStatus, "syncStatus after the first scan");
      return connected;
    }
    t.holds(waits < mostWaits, "attempts are limited", waits);
    waitedFor = row.nextRetryAt;
    await t.until(waitedFor, 1_000);
  }
}

/** Starts a scan of several pages, and limits it after the first ones while `check` runs. */
async function interruptedScan(
  t: Steps,
  check: (scan: { connected: Connected; window: Window; id: string }) => Promise<void>,
) {
  const [provider, account] = ["PROVIDER_B", "thousand-posts"] as const;
  const connected = await t.connectAndSettle({ provider, account, capabilities: ["CONTENT_LIST", "PROFILE"] });
  // The account posts every two hours: a page of 20 covers 2 days, so this window needs several pages.
  const window = daysBack(await t.now(), 8, 1);
  const delay = { kind: "delay", delayMs: 700 } as const;
  return t.whileFault(provider, "list", delay, { account, count: 3 }, async () => {
    const { id } = await t.get("requestRefresh", { ...connected, window });
    const scan = { connected, window, id };
    await t.untilJob(connected, id, "it runs", ({ status }) => status === "RUNNING");
    await t.whileFault(provider, "list", { kind: "rate-limited" }, { account }, () => check(scan));
    return scan;
  });
}

const REFUSED_ACCOUNTS = { posts: "refused-reads", profile: "refused-profile", refresh: "refused-refresh" } as const;

const unavailable = ({ capabilities }: Connection) =>
  capabilities.filter(({ availability }) => availability !== "AVAILABLE");

/** Three accounts of each provider, whose calls are refused for 27 hours. Only for exclusive cases. */
async function refuseEveryone(t: Steps, call: "list" | "refresh", providers: readonly Provider[]): Promise<void> {
  const connected: Connected[] = [];
  for (const [provider] of pairsOf(providers, [1, 2, 3]))
    connected.push(await t.connectAndSettle({ provider, capabilities: ["CONTENT_LIST"] }));
  const askAfter = async (hours: number, what: string, isThere: (job: SyncJob) => boolean) => {
    await t.driver("clock").advance(hours * HOUR_MS);
    const jobs: SyncJob[] = [];
    for (const one of connected) {
      const { id } = await t.get("requestRefresh", one);
      jobs.push(await t.untilJob(one, id, what, isThere));
      const row = await t.readConnection(one);
      t.equal([row.status, unavailable(row)], ["CONNECTED", []], "the connection and its capabilities");
    }
    return jobs;
  };
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const provider of providers) undo.push(await t.provider.fault(provider, call, { kind: "refused" }));
    const wasRefused = (job: SyncJob) => job.nextRetryAt !== null || job.status === "FAILED";
    for (const hours of [25, 1.1, 1.1]) {
      const jobs = await askAfter(hours, "its read is refused", wasRefused);
      // The first two may concern their accounts alone.
      for (const job of jobs.filter((_, index) => index % 3 === 2)) t.equal(job.status, "QUEUED", "it will be retried");
    }
  } finally {
    for (const end of undo) await end();
  }
  await askAfter(1.1, "it is read again", ({ status }) => status === "SUCCEEDED");
  for (const one of connected) await t.untilRow(one, "it is up to date", ({ syncStatus }) => syncStatus === "READY");
}

export const JOB_ENDING_CASES = defineCases({ needs: ["provider", "clock"] }, (test) => {
  for (const [account, code] of [
    ["down", "UPSTREAM_UNAVAILABLE"],
    ["rate-limited-forever", "UPSTREAM_RATE_LIMITED"],
  ] as const)
    test(`S3.job.given-up-${account}: A read that a provider never answers (${account}) ends FAILED with ${code}.`, async (t) => {
      const connected = await t.connect({ account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const job = await giveUp(t, connected, await t.requestLookup(connected, "PROVIDER_C", account));
      t.shows(job, { status: "FAILED", errorCode: code, nextRetryAt: null }, "the job");
    }).with({ lane: "timeline" });
  test("S2.ContentPage.scan-failed: A window whose scan failed is incomplete with SCAN_FAILED.", async (t) => {
    const window = daysBack(await t.now(), 5, 1);
    const connected = await firstScanned(t, "PROVIDER_B", "malformed", "FAILED", 60);
    const page = await t.untilIncomplete(connected, window, "SCAN_FAILED");
    t.equal(page.pageInfo.completeForWindow, false, "completeForWindow");
    t.shows(await t.readConnection(connected), { syncStatus: "FAILED", lastSuccessfulSyncAt: null }, "the connection");
  }).with({ lane: "timeline" });
  test("S3.job.goes-on-after-a-limit: A scan that a limit interrupts serves what it read, waits, and then completes its window.", async (t) => {
    const { connected, window, id } = await interruptedScan(t, async ({ connected, window, id }) => {
      await t.untilJob(connected, id, "it waits", ({ nextRetryAt }) => nextRetryAt !== null);
      const page = await t.contentPage(connected, window);
      t.holds(page.items.length > 0, "the posts that were read are served");
      t.equal(page.pageInfo.completeForWindow, false, "the page is complete");
    });
    await t.until((await t.readJob(connected, id)).nextRetryAt ?? "", 1_000);
    t.shows(await t.jobEnd(connected, id), { status: "SUCCEEDED", completeForWindow: true }, "the job");
    await t.pageReads(connected, window, null);
  }).with({ holds: ["account:B:thousand-posts"], lane: "timeline" });
  test("S2.ContentPage.rate-limited-midway: A scan that a limit ends midway is incomplete with UPSTREAM_RATE_LIMITED, and can be continued.", async (t) => {
    await interruptedScan(t, async ({ connected, window, id }) => {
      const job = await giveUp(t, connected, id);
      t.endsIncomplete(job, "UPSTREAM_RATE_LIMITED");
      t.matches(job.continuationCursor, /./, "continuationCursor");
      const page = await t.pageReads(connected, window, "UPSTREAM_RATE_LIMITED");
      t.holds(page.items.length > 0, "the posts that were read are served");
    });
  }).with({ holds: ["account:B:thousand-posts"], lane: "timeline" });
  test("S3.connection.account-suspended: An account that the provider suspended needs a reconnect when the provider confirms it an hour later.", async (t) => {
    const connected = await t.connect({ account: "account-suspended", capabilities: ["CONTENT_LIST"] });
    const waiting = await t.untilRow(connected, "the first scan waits", ({ nextRetryAt }) => nextRetryAt !== null);
    t.equal(waiting.status, "CONNECTED", "status after the first answer");
    const waitMs = Date.parse(waiting.nextRetryAt ?? "") - (await t.now()).getTime();
    t.holds(waitMs > HOUR_MS - 5 * 60_000 && waitMs <= HOUR_MS, "it waits for an hour", waitMs);
    await t.until(waiting.nextRetryAt ?? "", 1_000);
    const ended = await t.untilRow(connected, "it needs a reconnect", ({ status }) => status !== "CONNECTED");
    t.shows(ended, { status: "RECONNECT_REQUIRED", nextRetryAt: null }, "the connection");
  }).with({ lane: "timeline" });
  for (const [what, provider] of [
    ...pairsOf(["posts", "profile"], PROVIDERS),
    ...pairsOf(["refresh"], providersWith("hasRefreshToken")),
  ]) {
    const [subject, end] =
      what === "posts"
        ? [`A capability that ${provider} refuses`, "is UNAVAILABLE with UPSTREAM_UNAVAILABLE"]
        : [`A connection of which ${provider} refuses every ${what}`, "needs a reconnect"];
    test(`S3.connection.${what}-refused-${provider}: ${subject} for a day with an undocumented code, for one account only, ${end}.`, async (t) => {
      const capabilities = ["PROFILE", "CONTENT_LIST"] as const;
      const other = await t.connectAndSettle({ provider, capabilities });
      const refused = await t.connectAndSettle({ provider, account: REFUSED_ACCOUNTS[what], capabilities });
      t.equal(refused.connection.status, "CONNECTED", "after the first reads");
      if (what === "posts") t.equal(refused.connection.syncStatus, "FAILED", "the first refusal");
      t.equal(unavailable(refused.connection), [], "after the first reads");
      const later = async (hours: number) => t.until(await t.now(), hours * HOUR_MS + 1_000);
      await later(25);
      const { lastSuccessfulSyncAt } = other.connection;
      const isRead = (row: Connection) => row.lastSuccessfulSyncAt !== lastSuccessfulSyncAt;
      await t.untilRow(other, "the other account is read", isRead);
      // The other account may have been read before the first refusal: then the next attempt decides, an hour later.
      const afterAttempts = async (ends: string, isThere: (row: Connection) => boolean) => {
        for (let attempts = 1; attempts < 4; attempts += 1) {
          await later(2);
          const row = await t.untilRow(refused, ends, isThere, 10_000).catch(() => null);
          if (row !== null) return row;
        }
        await later(2);
        return t.untilRow(refused, ends, isThere);
      };
      if (what === "posts") {
        const row = await afterAttempts("a capability ends", (one) => unavailable(one).length > 0);
        const lost = { capability: "CONTENT_LIST", availability: "UNAVAILABLE", reason: "UPSTREAM_UNAVAILABLE" };
        t.equal([row.status, unavailable(row)], ["CONNECTED", [lost]], "after a day");
      } else {
        await afterAttempts("the connection ends", ({ status }) => status === "RECONNECT_REQUIRED");
      }
      const row = await t.readConnection(other);
      t.equal([row.status, row.capabilities.length], ["CONNECTED", capabilities.length], "the other account");
      t.equal(unavailable(row), [], "the capabilities of the other account");
    }).with({ lane: "timeline" });
  }
  test("S3.registration.refused: A list or a refresh that a provider refuses for all accounts for more than a day, with an undocumented code, is an outage: no connection ends, and a good answer ends the outage.", async (t) => {
    try {
      await refuseEveryone(t, "list", PROVIDERS);
      await refuseEveryone(t, "refresh", providersWith("hasRefreshToken"));
      t.holds(t.saw("enum:SyncStatus.FAILED"), "FAILED was visible");
    } finally {
      // The clock leaves the accounts without new posts, which later cases read.
      await t.provider.catchUp(await t.driver("clock").now());
    }
  }).with({ lane: "alone" });
  for (const [account, providers] of [
    ["application-blocked", PROVIDERS],
    ["application-without-capability", PROVIDERS],
    ["application-without-permission", ["PROVIDER_C"]],
  ] as const)
    test(`S3.connection.${account}: A provider that refuses the application (${account}) is an outage: the connection keeps its capabilities.`, async (t) => {
      const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
      for (const provider of providers) {
        const connected = await t.connect({ provider, account, capabilities });
        const row = await t.untilRow(connected, "the first scan waits", ({ nextRetryAt }) => nextRetryAt !== null);
        t.shows(row, { status: "CONNECTED", syncStatus: "FAILED" }, `${provider}: the connection`);
        const available = row.capabilities.every(({ availability }) => availability === "AVAILABLE");
        t.holds(available, `${provider}: every capability is available`, row.capabilities);
      }
    });
  for (const provider of ["PROVIDER_B", "PROVIDER_C"] as const)
    test(`S3.job.hidden-post-${provider}: Reads of a post that ${provider} lists and does not show by its id end FAILED with UPSTREAM_UNAVAILABLE, and the stored post is unchanged.`, async (t) => {
      const capabilities = ["CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
      const account = "posts-hidden-by-id";
      const connected = await t.connectAndSettle({ provider, account, capabilities });
      const item = await t.newestStored(connected);
      const { providerContentId } = item;
      const reads = [
        () => t.get("requestRefresh", { ...connected, providerContentId }),
        () => t.get("requestContentLookup", { ...connected, url: item.canonicalUrl ?? "" }),
      ];
      for (const read of reads) {
        const job = await giveUp(t, connected, (await read()).id);
        t.shows(job, { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", resultProviderContentId: null }, "the job");
      }
      t.equal(await t.storedPost(connected, providerContentId), item, "the stored post");
    }).with({ lane: "timeline" });
  for (const provider of PROVIDERS)
    test(`S2.ContentPage.list-lost-${provider}: A list that ${provider} does not find after its first page is tried twice more, and leaves an incomplete window.`, async (t) => {
      const connected = await firstScanned(t, provider, "list-lost", "PARTIAL");
      const window = daysBack(await t.now(), 6);
      const page = await t.pageReads(connected, window, "UPSTREAM_PAGE_LIMIT");
      // By the time of the day, one of the 20 posts of a page of PROVIDER_B may be private, and one deleted.
      const least = provider === "PROVIDER_B" ? 18 : 20;
      t.holds(page.items.length >= least, "the posts of the first page are served", page.items.length);
      const { id } = await t.get("requestRefresh", { ...connected, window });
      // Other cases can move the clock past both retries.
      const job = await giveUp(t, connected, id, 0);
      t.endsIncomplete(job, "UPSTREAM_PAGE_LIMIT");
      t.equal(job.continuationCursor, null, "nothing can be continued");
    }).with({ lane: "timeline" });
  for (const provider of PROVIDERS)
    test(`S2.ContentPage.list-lost-once-${provider}: A list that ${provider} does not find once is read to its end.`, async (t) => {
      const connected = await firstScanned(t, provider, "list-lost-once", "READY");
      const { items, last } = await t.allContent(connected, daysBack(await t.now(), 6));
      t.equal(last.pageInfo.completeForWindow, true, "the page is complete");
      t.holds(items.length >= 60, "the posts of several pages are served", items.length);
    }).with({ lane: "timeline" });
  test("S8.continuation-cursor.age: A continuation cursor works for 24 hours after its scan.", async (t) => {
    const connected = await t.connectAndSettle();
    const started = await t.now();
    const job = await t.scan(connected, { ...daysBack(started, 45, 10), maxItems: 3 });
    await t.until(started, 24 * HOUR_MS - 60_000);
    const read = await t.readJob(connected, job.id);
    t.matches(read.continuationCursor, /./, "it is still shown a minute before");
    await t.until(await t.now(), 2 * 60_000 + 60_000);
    t.equal((await t.readJob(connected, job.id)).continuationCursor, null, "no longer shown afterwards");
    for (const { continuationCursor } of [job, read])
      await t.refuses("requestRefresh", { ...connected, continuationCursor }, "BAD_USER_INPUT");
  }).with({ lane: "timeline" });
});
