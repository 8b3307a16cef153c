import type { ContentItem } from "../_generated/consumerWire.ts";
import { DAY_MS, MINUTE_MS, type Window, windowOf } from "../context/jobs.ts";
import type { Steps } from "../context/steps.ts";
import { PROVIDERS, type Provider } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";
import type { Capability, ProviderPost } from "../target/target.ts";

/** Accounts whose provider responds as real ones do: callers see every post, or the reason why some are missing. */

/**
 * The days before the account's newest post, read by a chain of scans of a new connection, and what the provider shows
 * of them.
 */
async function scannedDays(
  t: Steps,
  provider: Provider,
  account: string,
  days: number,
  capabilities: readonly Capability[] = ["CONTENT_LIST"],
  beforehand?: (connected: Settled, window: Window) => Promise<void>,
) {
  const connected = await t.connectAndSettle({ provider, account, capabilities });
  const newestMs = (await t.newestPost(provider, account)).getTime();
  const window = windowOf(newestMs - days * DAY_MS, newestMs + 1_000);
  await beforehand?.(connected, window);
  const job = await t.continueScan(connected, await t.scan(connected, window));
  const { items, last } = await t.allContent(connected, window);
  const ids = items.map(({ providerContentId }) => providerContentId);
  t.equal(new Set(ids).size, ids.length, `${provider}: each post once`);
  const isInside = ({ publishedAt }: ProviderPost) => Date.parse(publishedAt) >= Date.parse(window.publishedAfter);
  const posts = (await t.publicPosts(provider, account)).filter(isInside);
  return { connected, job, items, isComplete: last.pageInfo.completeForWindow, posts };
}

type Settled = Awaited<ReturnType<Steps["connectAndSettle"]>>;

/** The same, where every post has to be found. */
async function allScannedDays(...args: Parameters<typeof scannedDays>) {
  const [t, provider] = args;
  const scanned = await scannedDays(...args);
  const { job, items, isComplete, posts } = scanned;
  t.shows(job, { status: "SUCCEEDED", completeForWindow: true }, `${provider}: the last scan`);
  t.equal(isComplete, true, `${provider}: the page is complete`);
  const ids = new Set(items.map(({ providerContentId }) => providerContentId));
  t.every(posts, ({ id }) => ids.has(id), `${provider}: every post is served`);
  return scanned;
}

const WITHOUT_TIMES = ["PROVIDER_A", "PROVIDER_C"] as const;

/** Accounts whose newest post has no views. */
const WITHOUT_VIEWS = [
  ["broken-insights", ["PROVIDER_C"]],
  ["refused-post", WITHOUT_TIMES],
] as const;
const NO_VIEWS = { availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN", value: null };

const newestOf = (posts: readonly ProviderPost[]) =>
  posts.reduce((one, other) => (one.publishedAt > other.publishedAt ? one : other));
const viewsOf = (item: ContentItem | null | undefined) => item?.metrics.find(({ name }) => name === "VIEWS");

export const SCENARIO_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const [account, providers, days] of [
    ["cursor-rejected", WITHOUT_TIMES, 15],
    ["repeated-posts", PROVIDERS, 15],
    ["many-uploads", ["PROVIDER_A"], 15],
    ["small-pages", ["PROVIDER_C"], 40],
  ] as const)
    test(`S2.ContentPage.${account}: Scans of the account ${account} cover their window: every post is served once.`, async (t) => {
      for (const provider of providers) await allScannedDays(t, provider, account, days);
    });
  for (const account of ["cursor-returns", "cursor-stuck"] as const)
    test(`S2.ContentPage.${account}: Scans of the account ${account} end, and its window is complete only where the list is ordered by time.`, async (t) => {
      await allScannedDays(t, "PROVIDER_B", account, 15);
      for (const provider of WITHOUT_TIMES) {
        const { job, items, isComplete } = await scannedDays(t, provider, account, 15);
        t.endsIncomplete(job, "UPSTREAM_PAGE_LIMIT");
        t.equal(job.continuationCursor, null, `${provider}: nothing can be continued`);
        t.equal(isComplete, false, `${provider}: the page is complete`);
        t.holds(items.length >= 80, `${provider}: the posts of two pages are served`, items.length);
      }
    });
  for (const [[of, what, end], [account, providers]] of pairsOf(
    [
      ["S2.Metric", "The", "is served without its views, and the others with theirs."],
      [
        "S4.requestRefresh",
        "A metrics refresh of the",
        "succeeds without its views. A lookup finds the post, or fails where the provider refuses it, and the stored post stays.",
      ],
    ],
    WITHOUT_VIEWS,
  ))
    test(`${of}.${account}: ${what} newest post of the account ${account} ${end}`, async (t) => {
      for (const provider of providers) {
        const capabilities = ["CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
        const { connected, items, posts } = await allScannedDays(t, provider, account, 15, capabilities);
        t.equal((await t.readConnection(connected)).status, "CONNECTED", `${provider}: status`);
        const newest = newestOf(posts);
        const others = items.filter((item) => viewsOf(item)?.availability === "AVAILABLE");
        t.holds(others.length > posts.length / 2, `${provider}: views of the others`, others.length);
        const stored = () => t.storedPost(connected, newest.id);
        const before = await stored();
        t.shows(viewsOf(before), NO_VIEWS, `${provider}: views of the newest post`);
        if (of === "S2.Metric") continue;
        const ended = await t.refresh(connected, newest.id);
        t.shows(ended, { status: "SUCCEEDED", errorCode: null }, `${provider}: the metrics refresh`);
        const isRefused = provider === "PROVIDER_A";
        const looked = await t.lookUp(connected, newest.url);
        const end = isRefused
          ? { status: "FAILED", errorCode: "CONTENT_NOT_FOUND", resultProviderContentId: null }
          : { status: "SUCCEEDED", errorCode: null, resultProviderContentId: newest.id };
        t.shows(looked, end, `${provider}: the lookup`);
        const after = await stored();
        const { title, description, canonicalUrl, publishedAt, availability } = before ?? {};
        const unchanged = { title, description, canonicalUrl, publishedAt, availability };
        t.shows(after, unchanged, `${provider}: the stored post`);
        t.shows(viewsOf(after), NO_VIEWS, `${provider}: its views`);
      }
    });
  test("S2.ContentPage.limit-within-page: A limit within a page leaves the posts that were read, and the rest follows when the limit has ended.", async (t) => {
    const [provider, account] = ["PROVIDER_C", "limit-within-page"] as const;
    const capabilities = ["CONTENT_LIST", "CONTENT_METRICS"] as const;
    await allScannedDays(t, provider, account, 15, capabilities, async ({ connection, ...connected }, window) => {
      t.equal(connection.syncStatus, "PARTIAL", "syncStatus at the limit");
      const { items } = await t.allContent(connected, window);
      t.equal(items.length, 5, "posts before the limit");
      await t.until(await t.now(), 2 * MINUTE_MS);
    });
  }).with({ lane: "timeline", needs: ["provider", "clock"] });
  test("S4.requestContentLookup.photo-posts: Links of photo posts are served as the provider shows them, and lookups accept them.", async (t) => {
    const [provider, account] = ["PROVIDER_B", "photo-posts"] as const;
    const found = await allScannedDays(t, provider, account, 15, ["CONTENT_LIST", "CONTENT_LOOKUP"]);
    const photos = found.items.filter(({ canonicalUrl }) => canonicalUrl?.includes("/photo/"));
    t.holds(photos.length > 1 && photos.length < found.items.length, "some posts are photos", photos.length);
    for (const { kind, canonicalUrl, providerContentId } of photos.slice(0, 2)) {
      t.equal(kind, "UNKNOWN", "kind of a photo post");
      const end = { status: "SUCCEEDED", resultProviderContentId: providerContentId };
      t.shows(await t.lookUp(found.connected, canonicalUrl ?? ""), end, `lookup of ${canonicalUrl}`);
    }
  });
  test("S3.attempt.visited-ahead: A link checker that requests the callback before the person returns changes nothing.", async (t) => {
    for (const provider of PROVIDERS) {
      const connected = await t.connect({ provider, account: "visited-ahead" });
      t.equal((await t.readConnection(connected)).status, "CONNECTED", `${provider}: status`);
    }
  });
  test("S2.Profile.field-refused: A field that a provider refuses is missing, and the rest of the profile and of the posts is served.", async (t) => {
    for (const provider of PROVIDERS) {
      const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
      const found = await allScannedDays(t, provider, "field-refused", 15, capabilities);
      const { profile } = await t.readConnection(found.connected);
      t.matches(profile?.displayName, /./, `${provider}: displayName`);
      t.matches(profile?.handle, /^field.refused$/, `${provider}: handle`);
      const views = found.items.flatMap(({ metrics }) => metrics.filter(({ name }) => name === "VIEWS"));
      // PROVIDER_A refuses the part with the numbers, the others the descriptions.
      if (provider === "PROVIDER_A") {
        const reasons = new Set(views.map(({ reason }) => reason));
        t.equal([...reasons], ["METRIC_NOT_GIVEN"], "reasons of the views");
      } else {
        t.equal(profile?.description, null, `${provider}: description`);
        const described = found.items.filter(({ description }) => description !== null);
        t.equal(described, [], `${provider}: descriptions of posts`);
        t.some(views, ({ value }) => Number(value) > 0, `${provider}: there are views`);
      }
    }
  });
  test("S2.ContentItem.other-forms: Values that a provider sends in other forms are served as those of the ordinary form.", async (t) => {
    const account = "other-forms";
    for (const provider of PROVIDERS) {
      const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
      const found = await allScannedDays(t, provider, account, 15, capabilities);
      for (const { id, url, publishedAt } of found.posts) {
        const item = found.items.find(({ providerContentId }) => providerContentId === id);
        t.shows(item, { canonicalUrl: url, publishedAt: new Date(publishedAt).toISOString() }, `${provider}: ${id}`);
      }
      const views = found.items.flatMap(({ metrics }) => metrics.filter(({ name }) => name === "VIEWS"));
      t.some(views, ({ value }) => Number(value) > 0, `${provider}: there are views`);
      const { profile } = await t.readConnection(found.connected);
      t.matches(profile?.handle, /^other.forms$/, `${provider}: handle`);
      t.matches(profile?.profileUrl, /^https:/, `${provider}: profileUrl`);
    }
  });
  for (const [account, provider] of [
    ["account-closed", "PROVIDER_A"],
    ["account-closed", "PROVIDER_B"],
    ["account-blocked", "PROVIDER_A"],
    ["refresh-blocked", "PROVIDER_A"],
    ["not-professional", "PROVIDER_C"],
  ] as const)
    test(`S3.connection.${account}-${provider}: ${provider}'s account ${account} needs a reconnect when the provider confirms its state an hour later.`, async (t) => {
      const connected = await t.connect({ provider, account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      // By then an access token of 30 seconds has to be refreshed.
      await t.until(await t.now(), 2 * MINUTE_MS);
      const id = await t.requestLookup(connected, provider, account);
      const nextRetryAt = await t.untilHourlyRetry(connected, id);
      t.equal((await t.readConnection(connected)).status, "CONNECTED", "status after the first answer");
      await t.until(nextRetryAt, 1_000);
      const job = await t.jobEnd(connected, id);
      t.shows(job, { status: "FAILED", errorCode: "RECONNECT_REQUIRED" }, "the job");
      t.equal((await t.readConnection(connected)).status, "RECONNECT_REQUIRED", "status at the end");
    }).with({ lane: "timeline", needs: ["provider", "clock"] });
  for (const account of ["daily-limit-as-429", "rate-limited-forever"] as const)
    test(`S3.job.spent-day-${account}: A job that PROVIDER_A refuses because the day's quota is spent (${account}) waits until midnight Pacific.`, async (t) => {
      const provider = "PROVIDER_A";
      const connected = await t.connect({ provider, account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const { nextRetryAt } = await t.untilRetry(connected, await t.requestLookup(connected, provider, account));
      const local = new Intl.DateTimeFormat("en-GB", { timeZone: "America/Los_Angeles", timeStyle: "medium" });
      t.matches(local.format(new Date(nextRetryAt ?? "")), /^00:00:/, "the Pacific time of the retry");
    });
});
