import { PROVIDERS } from "../description/providers.ts";
import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import type { Capability, Provider } from "../target/target.ts";
import { newestPost, publicPosts } from "./support/accounts.ts";
import { connect, connectAndSettle, readConnection } from "./support/connections.ts";
import { allContent } from "./support/content.ts";
import { endsIncomplete } from "./support/findings.ts";
import {
  continueScan,
  jobEnd,
  lookUp,
  refresh,
  requestLookup,
  scan,
  serviceNow,
  untilHourlyRetry,
  untilRetry,
} from "./support/jobs.ts";

/** Accounts whose provider responds as real ones do: callers see every post, or the reason why some are missing. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A new connection, and the days before the account's newest post. */
async function connectedDays(
  t: CaseContext,
  provider: Provider,
  account: string,
  days: number,
  capabilities: readonly Capability[] = ["CONTENT_LIST"],
) {
  const connected = await connectAndSettle(t, { provider, account, capabilities });
  const newestMs = (await newestPost(t, provider, account)).getTime();
  const publishedAfter = new Date(newestMs - days * DAY_MS).toISOString();
  return { connected, window: { publishedAfter, publishedBefore: new Date(newestMs + 1_000).toISOString() } };
}

/** Those days, read by a chain of scans, and what the provider shows of them. */
async function scannedDays(...[t, provider, account, ...rest]: Parameters<typeof connectedDays>) {
  return scanDays(t, provider, account, await connectedDays(t, provider, account, ...rest));
}

async function scanDays(
  t: CaseContext,
  provider: Provider,
  account: string,
  { connected, window }: Awaited<ReturnType<typeof connectedDays>>,
) {
  const job = await continueScan(t, connected, await scan(t, connected, window));
  const { items, last } = await allContent(t, connected, window);
  const ids = items.map(({ providerContentId }) => providerContentId);
  t.equal(new Set(ids).size, ids.length, `${provider}: each post once`);
  const posts = (await publicPosts(t, provider, account)).filter(
    ({ publishedAt }) => Date.parse(publishedAt) >= Date.parse(window.publishedAfter),
  );
  return { connected, job, items, isComplete: last.pageInfo.completeForWindow, posts };
}

type Scanned = Awaited<ReturnType<typeof scannedDays>>;

function hasAllPosts(t: CaseContext, provider: Provider, { job, items, isComplete, posts }: Scanned): void {
  t.shows(job, { status: "SUCCEEDED", completeForWindow: true }, `${provider}: the last scan`);
  t.equal(isComplete, true, `${provider}: the page is complete`);
  const ids = new Set(items.map(({ providerContentId }) => providerContentId));
  const lost = posts.filter(({ id }) => !ids.has(id));
  t.equal(lost, [], `${provider}: lost posts`);
}

const WITHOUT_TIMES = ["PROVIDER_A", "PROVIDER_C"] as const;

export const SCENARIO_CASES = defineCasesWith({ needs: ["provider"] })({
  ...caseForEach(
    [
      ["cursor-rejected", WITHOUT_TIMES, 15],
      ["repeated-posts", PROVIDERS, 15],
      ["many-uploads", ["PROVIDER_A"], 15],
      ["small-pages", ["PROVIDER_C"], 40],
    ],
    ([account, providers, days]) => ({
      id: `S2.ContentPage.${account}`,
      title: `Scans of the account ${account} cover their window: every post is served once.`,
      reaches: ["field:ContentPage.complete"],
      run: async (t) => {
        for (const provider of providers) hasAllPosts(t, provider, await scannedDays(t, provider, account, days));
      },
    }),
  ),
  ...caseForEach(["cursor-returns", "cursor-stuck"], (account) => ({
    id: `S2.ContentPage.${account}`,
    title: `Scans of the account ${account} end, and its window is complete only where the list is ordered by time.`,
    reaches: ["incompleteReason:UPSTREAM_PAGE_LIMIT"],
    run: async (t) => {
      hasAllPosts(t, "PROVIDER_B", await scannedDays(t, "PROVIDER_B", account, 15));
      for (const provider of WITHOUT_TIMES) {
        const { job, items, isComplete } = await scannedDays(t, provider, account, 15);
        endsIncomplete(t, job, "UPSTREAM_PAGE_LIMIT");
        t.equal(job.continuationCursor, null, `${provider}: nothing can be continued`);
        t.equal(isComplete, false, `${provider}: the page is complete`);
        t.holds(items.length >= 80, `${provider}: the posts of two pages are served`, items.length);
      }
    },
  })),
  ...caseForEach(
    [
      ["broken-insights", ["PROVIDER_C"]],
      ["refused-post", WITHOUT_TIMES],
    ],
    ([account, providers]) => ({
      id: `S2.Metric.${account}`,
      title: `The newest post of the account ${account} is served without its views, and the others with theirs.`,
      reaches: ["reason:METRIC_NOT_GIVEN"],
      run: async (t) => {
        for (const provider of providers) {
          const found = await scannedDays(t, provider, account, 15, ["CONTENT_LIST", "CONTENT_METRICS"]);
          hasAllPosts(t, provider, found);
          t.equal((await readConnection(t, found.connected)).status, "CONNECTED", `${provider}: status`);
          const newest = found.posts.reduce((one, other) => (one.publishedAt > other.publishedAt ? one : other));
          const viewsOf = (id: string) =>
            found.items
              .find(({ providerContentId }) => providerContentId === id)
              ?.metrics.find(({ name }) => name === "VIEWS");
          const missing = { availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN", value: null };
          t.shows(viewsOf(newest.id), missing, `${provider}: views of the newest post`);
          const read = found.posts.filter(({ id }) => viewsOf(id)?.availability === "AVAILABLE");
          t.holds(read.length > found.posts.length / 2, `${provider}: views of the others`, read.length);
        }
      },
    }),
  ),
  ...caseForEach(
    [
      ["broken-insights", ["PROVIDER_C"]],
      ["refused-post", WITHOUT_TIMES],
    ],
    ([account, providers]) => ({
      id: `S4.requestRefresh.${account}`,
      title: `A metrics refresh of the newest post of the account ${account} succeeds without its views. A lookup finds the post, or fails where the provider refuses it, and the stored post stays.`,
      reaches: ["reason:METRIC_NOT_GIVEN", ...(account === "refused-post" ? ["errorCode:CONTENT_NOT_FOUND"] : [])],
      run: async (t) => {
        for (const provider of providers) {
          const capabilities = ["CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
          const { connected, posts } = await scannedDays(t, provider, account, 15, capabilities);
          const newest = posts.reduce((one, other) => (one.publishedAt > other.publishedAt ? one : other));
          const { scope, connectionId } = connected;
          const stored = () => t.get("contentItem", { scope, connectionId, providerContentId: newest.id });
          const before = await stored();
          const ended = await refresh(t, connected, newest.id);
          t.shows(ended, { status: "SUCCEEDED", errorCode: null }, `${provider}: the metrics refresh`);
          const isRefused = provider === "PROVIDER_A";
          const looked = await lookUp(t, connected, newest.url);
          const end = isRefused
            ? { status: "FAILED", errorCode: "CONTENT_NOT_FOUND", resultProviderContentId: null }
            : { status: "SUCCEEDED", errorCode: null, resultProviderContentId: newest.id };
          t.shows(looked, end, `${provider}: the lookup`);
          const after = await stored();
          const { title, description, canonicalUrl, publishedAt, availability } = before ?? {};
          t.shows(
            after,
            { title, description, canonicalUrl, publishedAt, availability },
            `${provider}: the stored post`,
          );
          const views = after?.metrics.find(({ name }) => name === "VIEWS");
          const missing = { availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN", value: null };
          t.shows(views, missing, `${provider}: its views`);
        }
      },
    }),
  ),
  "S2.ContentPage.limit-within-page": {
    title: "A limit within a page leaves the posts that were read, and the rest follows when the limit has ended.",
    lane: "timeline",
    needs: ["provider", "clock"],
    reaches: ["enum:SyncStatus.PARTIAL"],
    run: async (t) => {
      const [provider, account] = ["PROVIDER_C", "limit-within-page"] as const;
      const found = await connectedDays(t, provider, account, 15, ["CONTENT_LIST", "CONTENT_METRICS"]);
      const { connected, window } = found;
      t.equal(connected.connection.syncStatus, "PARTIAL", "syncStatus at the limit");
      const { items } = await allContent(t, connected, window);
      t.equal(items.length, 5, "posts before the limit");
      await t.until(await serviceNow(t), 2 * MINUTE_MS);
      hasAllPosts(t, provider, await scanDays(t, provider, account, found));
    },
  },
  "S4.requestContentLookup.photo-posts": {
    title: "Links of photo posts are served as the provider shows them, and lookups accept them.",
    reaches: ["operation:requestContentLookup"],
    run: async (t) => {
      const [provider, account] = ["PROVIDER_B", "photo-posts"] as const;
      const found = await scannedDays(t, provider, account, 15, ["CONTENT_LIST", "CONTENT_LOOKUP"]);
      hasAllPosts(t, provider, found);
      const photos = found.items.filter(({ canonicalUrl }) => canonicalUrl?.includes("/photo/"));
      t.holds(photos.length > 1 && photos.length < found.items.length, "some posts are photos", photos.length);
      for (const { kind, canonicalUrl, providerContentId } of photos.slice(0, 2)) {
        t.equal(kind, "UNKNOWN", "kind of a photo post");
        const end = { status: "SUCCEEDED", resultProviderContentId: providerContentId };
        t.shows(await lookUp(t, found.connected, canonicalUrl ?? ""), end, `lookup of ${canonicalUrl}`);
      }
    },
  },
  "S3.attempt.visited-ahead": {
    title: "A link checker that requests the callback before the person returns changes nothing.",
    reaches: ["enum:ConnectSessionStatus.COMPLETED"],
    run: async (t) => {
      for (const provider of PROVIDERS) {
        const connected = await connect(t, { provider, account: "visited-ahead" });
        t.equal((await readConnection(t, connected)).status, "CONNECTED", `${provider}: status`);
      }
    },
  },
  "S2.Profile.field-refused": {
    title: "A field that a provider refuses is missing, and the rest of the profile and of the posts is served.",
    reaches: ["reason:METRIC_NOT_GIVEN"],
    run: async (t) => {
      for (const provider of PROVIDERS) {
        const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
        const found = await scannedDays(t, provider, "field-refused", 15, capabilities);
        hasAllPosts(t, provider, found);
        const { profile } = await readConnection(t, found.connected);
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
          t.holds(
            views.some(({ value }) => Number(value) > 0),
            `${provider}: there are views`,
          );
        }
      }
    },
  },
  "S2.ContentItem.other-forms": {
    title: "Values that a provider sends in other forms are served as those of the ordinary form.",
    reaches: ["field:ContentPage.complete"],
    run: async (t) => {
      const account = "other-forms";
      for (const provider of PROVIDERS) {
        const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
        const found = await scannedDays(t, provider, account, 15, capabilities);
        hasAllPosts(t, provider, found);
        for (const { id, url, publishedAt } of found.posts) {
          const item = found.items.find(({ providerContentId }) => providerContentId === id);
          t.shows(item, { canonicalUrl: url, publishedAt: new Date(publishedAt).toISOString() }, `${provider}: ${id}`);
        }
        const views = found.items.flatMap(({ metrics }) => metrics.filter(({ name }) => name === "VIEWS"));
        t.holds(
          views.some(({ value }) => Number(value) > 0),
          `${provider}: there are views`,
        );
        const { profile } = await readConnection(t, found.connected);
        t.matches(profile?.handle, /^other.forms$/, `${provider}: handle`);
        t.matches(profile?.profileUrl, /^https:/, `${provider}: profileUrl`);
      }
    },
  },
  ...caseForEach(
    [
      ["account-closed", "PROVIDER_A"],
      ["account-closed", "PROVIDER_B"],
      ["account-blocked", "PROVIDER_A"],
      ["refresh-blocked", "PROVIDER_A"],
      ["not-professional", "PROVIDER_C"],
    ],
    ([account, provider]) => ({
      id: `S3.connection.${account}-${provider}`,
      title: `${provider}'s account ${account} needs a reconnect when the provider confirms its state an hour later.`,
      lane: "timeline",
      needs: ["provider", "clock"],
      reaches: ["enum:ConnectionStatus.RECONNECT_REQUIRED", "errorCode:RECONNECT_REQUIRED"],
      run: async (t) => {
        const connected = await connect(t, { provider, account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
        // By then an access token of 30 seconds has to be refreshed.
        await t.until(await serviceNow(t), 2 * MINUTE_MS);
        const id = await requestLookup(t, connected, provider, account);
        const nextRetryAt = await untilHourlyRetry(t, connected, id);
        t.equal((await readConnection(t, connected)).status, "CONNECTED", "status after the first answer");
        await t.until(nextRetryAt, 1_000);
        const job = await jobEnd(t, connected, id);
        t.shows(job, { status: "FAILED", errorCode: "RECONNECT_REQUIRED" }, "the job");
        t.equal((await readConnection(t, connected)).status, "RECONNECT_REQUIRED", "status at the end");
      },
    }),
  ),
  ...caseForEach(["daily-limit-as-429", "rate-limited-forever"], (account) => ({
    id: `S3.job.spent-day-${account}`,
    title: `A job that PROVIDER_A refuses because the day's quota is spent (${account}) waits until midnight Pacific.`,
    reaches: ["field:SyncJob.nextRetryAt"],
    run: async (t) => {
      const provider = "PROVIDER_A";
      const connected = await connect(t, { provider, account, capabilities: ["PROFILE", "CONTENT_LOOKUP"] });
      const { nextRetryAt } = await untilRetry(t, connected, await requestLookup(t, connected, provider, account));
      const local = new Intl.DateTimeFormat("en-GB", { timeZone: "America/Los_Angeles", timeStyle: "medium" });
      t.matches(local.format(new Date(nextRetryAt ?? "")), /^00:00:/, "the Pacific time of the retry");
    },
  })),
});
