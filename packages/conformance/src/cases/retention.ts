import type { ContentItem, SyncJob } from "../_generated/consumerWire.ts";
import { accountHolds, DOWN, GOOD_ACCOUNT, REVOCABLE, revocableHolds } from "../context/accounts.ts";
import { DAY_MS, daysBack, HOUR_MS, MARGIN_MS } from "../context/jobs.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { PROVIDER_FACTS, PROVIDERS, type Provider } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";
import { CONTENT_FIELDS } from "../wire/apis.ts";

const WEEK_MS = 7 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;

/**
 * Posts that background reads, which cover only the last days, do not observe again. They are published for this
 * purpose, because the accounts' own posts are too old on a target whose clock was moved.
 */
async function olderPosts(t: Steps, connected: Connected, provider: Provider = "PROVIDER_C") {
  const now = await t.now();
  for (const daysAgo of [20, 15]) {
    const publishedAt = new Date(now.getTime() - daysAgo * DAY_MS);
    await t.provider.publish(provider, GOOD_ACCOUNT[provider], { publishedAt });
  }
  const window = daysBack(now, 25, 12);
  t.equal((await t.scan(connected, window)).status, "SUCCEEDED", "the scan of an older window");
  const { items } = await t.allContent(connected, window);
  t.holds(items.length > 1, "the older window has posts", items.length);
  return { window, items };
}

/** Jobs that started after one time and ended before the other are readable for 7 days, and then NOT_FOUND. */
async function readableForAWeek(t: Steps, of: Connected, begun: Date, over: Date, jobs: readonly SyncJob[]) {
  await t.until(begun, WEEK_MS - MARGIN_MS);
  for (const job of jobs) {
    const read = await t.readJob(of, job.id);
    // A continuation cursor ends earlier.
    t.equal({ ...read, continuationCursor: null }, { ...job, continuationCursor: null }, "shortly before");
  }
  await t.until(over, WEEK_MS + 1_000);
  for (const { id } of jobs) await t.refuses("syncJob", { ...of, id }, "NOT_FOUND", "after 7 days");
}

/** The remaining fields of a post that was last observed more than 30 days ago. */
function expiredForm({ id, providerContentId, provider, observedAt }: ContentItem) {
  const nothing = Object.fromEntries(CONTENT_FIELDS.map((name) => [name, null]));
  const why = { availability: "UNAVAILABLE", reason: "EXPIRED" };
  return { id, providerContentId, provider, observedAt, kind: "UNKNOWN", ...nothing, ...why, metrics: [] };
}

const observationsOf = (items: readonly ContentItem[]) => items.map((item) => item.observedAt).sort();
const oldestOf = (items: readonly ContentItem[]) => observationsOf(items)[0] ?? "";
const newestOf = (items: readonly ContentItem[]) => observationsOf(items).at(-1) ?? "";

export const RETENTION_CASES = defineCases({ lane: "timeline", needs: ["provider", "clock"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S8.content-retention.${provider}: A post at ${provider} is served until 30 days after it was observed; then contentItem returns only EXPIRED, and content omits it.`, async (t) => {
      const connected = await t.connectAndSettle({ provider, account: GOOD_ACCOUNT[provider] });
      const { window, items } = await olderPosts(t, connected, provider);
      const [item] = items.filter((one) => one.availability === "AVAILABLE");
      if (item === undefined) throw new Error("no post of the window is available");
      await t.until(oldestOf(items), MONTH_MS - MARGIN_MS);
      const fresh = await t.storedPost(connected, item.providerContentId);
      t.shows(fresh, { availability: "AVAILABLE", observedAt: item.observedAt }, "shortly before");
      t.equal((await t.allContent(connected, window)).items.length, items.length, "content, shortly before");
      await t.until(newestOf(items), MONTH_MS + 1_000);
      t.equal(await t.storedPost(connected, item.providerContentId), expiredForm(item), "after 30 days");
      t.equal((await t.allContent(connected, window)).items, [], "content, after 30 days");
      await t.until(newestOf(items), MONTH_MS + 3 * HOUR_MS);
      t.equal(await t.storedPost(connected, item.providerContentId), expiredForm(item), "hours later");
      t.equal((await t.scan(connected, window)).status, "SUCCEEDED", "another scan");
      const again = await t.storedPost(connected, item.providerContentId);
      t.shows(again, { id: item.id, availability: "AVAILABLE", reason: null }, "observed again, it is available");
      t.equal(again?.publishedAt, item.publishedAt, "with all its fields");
    });
  test("S8.content-retention.observed-again: A post that was observed again is served for 30 more days; the other post is not.", async (t) => {
    const connected = await t.connectAndSettle();
    const { items } = await olderPosts(t, connected);
    const [kept, left] = items.filter((one) => one.availability === "AVAILABLE");
    if (kept === undefined || left === undefined) throw new Error("the window has no two posts that are available");
    await t.until(newestOf(items), MONTH_MS / 2);
    t.equal((await t.refresh(connected, kept.providerContentId)).status, "SUCCEEDED", "the metrics refresh");
    await t.until(newestOf(items), MONTH_MS + 1_000);
    const expired = await t.storedPost(connected, left.providerContentId);
    t.equal(expired?.reason, "EXPIRED", "the post that was not refreshed");
    const refreshed = await t.storedPost(connected, kept.providerContentId);
    t.shows(refreshed, { availability: "AVAILABLE", id: kept.id }, "the refreshed post");
    t.holds((refreshed?.observedAt ?? "") > kept.observedAt, "observedAt", refreshed?.observedAt);
  });
  test("S2.ContentPage.content-expired: A window whose posts have expired is incomplete with CONTENT_EXPIRED, before and after the purge.", async (t) => {
    const connected = await t.connectAndSettle();
    const { window, items } = await olderPosts(t, connected);
    for (const laterMs of [1_000, 3 * HOUR_MS, 5 * 24 * HOUR_MS]) {
      await t.until(newestOf(items), MONTH_MS + laterMs);
      const page = await t.pageReads(connected, window, "CONTENT_EXPIRED", `the page, ${laterMs} ms after 30 days`);
      t.equal(page.items, [], `posts, ${laterMs} ms after 30 days`);
    }
    const { pageInfo } = (await t.allContent(connected, daysBack(await t.now(), 29))).last;
    t.holds(pageInfo.incompleteReason !== "CONTENT_EXPIRED", "a window of the last 29 days has no expired posts");
  });
  test("S2.ContentPage.scan-stale: A window is complete until 24 hours after its scan; then it is incomplete with SCAN_STALE, and its posts are still served; after the scan's 7 days it counts as never scanned.", async (t) => {
    const connected = await t.connectAndSettle();
    const before = await t.now();
    const { window, items } = await olderPosts(t, connected);
    const scannedAt = await t.now();
    await t.until(before, 24 * HOUR_MS - MARGIN_MS);
    await t.pageReads(connected, window, null, "shortly before");
    await t.until(scannedAt, 24 * HOUR_MS + 1_000);
    const stale = await t.pageReads(connected, window, "SCAN_STALE", "24 hours after the scan");
    t.equal(stale.items.length, items.length, "served posts");
    for (const laterMs of [1_000, 3 * HOUR_MS]) {
      await t.until(scannedAt, WEEK_MS + laterMs);
      const forgotten = await t.pageReads(connected, window, "NOT_SCANNED", `${laterMs} ms after the scan's 7 days`);
      t.equal(forgotten.items.length, items.length, "posts that are still served");
    }
  });
  test("S8.profile-retention: A profile is served until 30 days after it was observed; then it is null until the next successful read.", async (t) => {
    const account = "comments-off";
    const connected = await t.connectAndSettle({ account, capabilities: ["PROFILE"] });
    const observedAt = await t.whileFault("PROVIDER_C", "profile", DOWN, { account }, async () => {
      // The connection's first read is finished by then, and every later one fails.
      await t.until(await t.now(), HOUR_MS);
      const { profile } = await t.readConnection(connected);
      const observedAt = profile?.observedAt ?? "";
      await t.until(observedAt, MONTH_MS - MARGIN_MS);
      t.equal((await t.readConnection(connected)).profile, profile, "shortly before");
      await t.until(observedAt, MONTH_MS + 1_000);
      t.shows(await t.readConnection(connected), { status: "CONNECTED", profile: null }, "after 30 days");
      const { items } = await t.get("connections", { scope: connected.scope });
      t.equal([items.length, items[0]?.profile], [1, null], "in the list");
      return observedAt;
    });
    await t.until(observedAt, MONTH_MS + 26 * HOUR_MS);
    const row = await t.untilRow(connected, "the profile is read again", (one) => one.profile !== null);
    t.holds((row.profile?.observedAt ?? "") > observedAt, "observedAt", row.profile?.observedAt);
  }).with({ holds: accountHolds("PROVIDER_C", "comments-off") });
  test("S8.job-readability.reads: A finished scan, metrics refresh or lookup is readable for 7 days and then NOT_FOUND.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = daysBack(await t.now(), 9, 2);
    const [post] = await t.publicPosts("PROVIDER_C");
    const begun = await t.now();
    const read = await t.scan(connected, window);
    const looked = await t.lookUp(connected, post?.url ?? "");
    const jobs = [read, looked, await t.refresh(connected, looked.resultProviderContentId ?? "")];
    for (const { status } of jobs) t.equal(status, "SUCCEEDED", "each job");
    await readableForAWeek(t, connected, begun, await t.now(), jobs);
    t.equal((await t.readConnection(connected)).status, "CONNECTED", "the connection still exists");
  });
  for (const provider of PROVIDERS)
    test(`S8.job-readability.receipts-${provider}: Receipts of a disconnect at ${provider} are readable for 7 days after creation, although the connection is erased, and then NOT_FOUND.`, async (t) => {
      const connected = await t.connect({ provider, account: REVOCABLE[provider] });
      const begun = await t.now();
      const ended = await t.disconnect(connected);
      const over = await t.now();
      const { revoke, erase } = await t.receipts(connected, ended);
      await t.erased(connected, ended);
      await readableForAWeek(t, connected, begun, over, [revoke, erase]);
      await t.refuses("disconnectConnection", connected, "NOT_FOUND");
    }).with({
      holds: PROVIDER_FACTS[provider].afterSharedRevoke === "RECONNECT_REQUIRED" ? revocableHolds(provider) : [],
    });
  test("S4.disconnect.revoke-given-up: A revoke that fails for 24 hours ends with REVOKE_REJECTED and a creatorAction, and the rest is erased.", async (t) => {
    const fields = { provider: "PROVIDER_B", account: "deleted-post" } as const;
    const connected = await t.connectAndSettle(fields);
    const wanted = { scope: connected.scope, provider: fields.provider };
    await t.whileRevokeFails(fields.provider, fields.account, async () => {
      const begun = await t.now();
      const ended = await t.disconnect(connected);
      await t.until(begun, 23 * HOUR_MS);
      const waiting = await t.readJob(connected, ended.revokeJobId);
      t.oneOf(waiting.status, ["QUEUED", "RUNNING"], "after 23 hours it is still retried");
      t.shows(waiting, { errorCode: null, creatorAction: null }, "the receipt during the retries");
      t.equal((await t.readConnection(connected)).status, "DELETING", "the connection");
      const repeat = await t.disconnect(connected);
      t.shows(repeat, { revokeJobId: ended.revokeJobId, creatorAction: null }, "a repeat");
      await t.refusesSession(wanted, "FORBIDDEN");
      await t.until(begun, 24 * HOUR_MS + 60_000);
      await t.revokedAndErased(connected, ended, "REVOKE_REJECTED");
      await t.mayConnectAgain(wanted);
    });
  }).with({ holds: accountHolds("PROVIDER_B", "deleted-post") });
});
