import type { ContentItem, SocialConnect, SocialProvider, Subject, SyncJob } from "@social-connect/sdk";
import type { DevFile } from "../../../packages/testkit/src/harness/devFile.ts";
import { goThroughConsent } from "./browser.ts";
import type { Report } from "./report.ts";

const DAY_MS = 86_400_000;
/** The time range that the demo reads; the test accounts posted about once a day. */
const WINDOW_DAYS = 60;
const LEAST_POSTS = 20;

export interface Tour {
  readonly social: SocialConnect;
  readonly dev: DevFile;
  readonly report: Report;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  readonly now: Date;
}

/** Everything that can be done with one account at one provider, from consent to the receipts. Throws when a step fails. */
export async function tourProvider(tour: Tour, provider: SocialProvider): Promise<void> {
  const { social, dev, report, signal } = tour;
  const user = social.forSubject({
    tenantKey: String(dev.consumer.tenantKeys[0]),
    externalSubjectId: `demo-${provider.toLowerCase()}`,
  });
  const connectionId = await connect(tour, user, provider);
  await waitForFirstScan(tour, user, provider, connectionId);

  const { profile } = await user.connection(connectionId, { signal });
  if (profile === null) throw new Error(`${provider}: the connection has no profile`);
  report.profile(provider, profile);

  const posts = await readPosts(tour, user, provider, connectionId);
  await lookUp(tour, user, provider, connectionId, posts);
  await refreshNewest(tour, user, provider, connectionId, posts);
  await disconnect(tour, user, provider, connectionId);
}

async function connect({ dev, report, signal }: Tour, user: Subject, provider: SocialProvider): Promise<string> {
  const { returnUrl } = dev.consumer;
  const session = await user.connect(
    { provider, capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"], returnUrl },
    { signal },
  );
  report.progress(provider, "consent in the browser");
  const back = await goThroughConsent(session.launchUrl, session.launchToken.reveal(), returnUrl);
  const result = await user.connectResult(session.id).wait({
    signal,
    onProgress: ({ status }) => report.progress(provider, `attempt ${status}`),
  });
  if (result.status !== "COMPLETED")
    throw new Error(`${provider}: the attempt ended ${result.status}, ${result.resultCode}`);
  const hint = back.searchParams.get("ss_status");
  report.step(provider, "connect", { result: result.status, returnedWith: hint, connectionId: result.connectionId });
  return result.connectionId;
}

/** A new connection is scanned in the background immediately; another window must wait for that scan. */
async function waitForFirstScan(
  { report, signal }: Tour,
  user: Subject,
  provider: SocialProvider,
  connectionId: string,
): Promise<void> {
  const first = await user.refresh(connectionId).wait({
    signal,
    onProgress: ({ status }) => report.progress(provider, `first scan ${status}`),
  });
  requireSuccess(provider, "first scan", first);
}

async function readPosts(
  { report, signal, now }: Tour,
  user: Subject,
  provider: SocialProvider,
  connectionId: string,
): Promise<ContentItem[]> {
  const window = { publishedAfter: new Date(now.getTime() - WINDOW_DAYS * DAY_MS), publishedBefore: now };
  const scan = await user.refresh(connectionId, { window }).scanAll({
    signal,
    onProgress: ({ status }) => report.progress(provider, `scan of ${WINDOW_DAYS} days ${status}`),
  });
  requireSuccess(provider, "scan", scan.last);
  report.step(provider, "scan", { jobs: scan.jobs.length, complete: scan.complete });
  const posts: ContentItem[] = [];
  for await (const post of user.content(connectionId, window, { signal })) posts.push(post);
  const withMetrics = posts.filter((post) => post.metrics.some((metric) => metric.value !== null));
  if (withMetrics.length < LEAST_POSTS) {
    throw new Error(`${provider}: ${withMetrics.length} posts with metrics, fewer than ${LEAST_POSTS}`);
  }
  report.posts(provider, posts);
  return posts;
}

async function lookUp(
  { report, signal }: Tour,
  user: Subject,
  provider: SocialProvider,
  connectionId: string,
  posts: readonly ContentItem[],
): Promise<void> {
  const post = posts.find(({ availability, canonicalUrl }) => availability === "AVAILABLE" && canonicalUrl !== null);
  if (post === undefined || post.canonicalUrl === null) throw new Error(`${provider}: no post has a URL to look up`);
  const found = await user.lookup(connectionId, post.canonicalUrl).wait({ signal });
  requireSuccess(provider, "lookup", found);
  const item = await user.contentItem(connectionId, found.resultProviderContentId ?? "", { signal });
  if (item?.id !== post.id) throw new Error(`${provider}: the lookup of ${post.canonicalUrl} found another post`);
  report.step(provider, "lookup", { url: post.canonicalUrl, found: item.providerContentId });
}

async function refreshNewest(
  { report, signal }: Tour,
  user: Subject,
  provider: SocialProvider,
  connectionId: string,
  posts: readonly ContentItem[],
): Promise<void> {
  // A provider counts the views of a new post only after some time.
  const post = posts.find(
    ({ availability, metrics }) =>
      availability === "AVAILABLE" && metrics.some(({ name, value }) => name === "VIEWS" && value !== null),
  );
  if (post === undefined) throw new Error(`${provider}: no available post has views`);
  const { providerContentId } = post;
  requireSuccess(provider, "refresh", await user.refresh(connectionId, { providerContentId }).wait({ signal }));
  const item = await user.contentItem(connectionId, providerContentId, { signal });
  const views = item?.metrics.find(({ name }) => name === "VIEWS");
  if (item === null || item.observedAt < post.observedAt) throw new Error(`${provider}: the refresh observed nothing`);
  report.step(provider, "refresh", {
    post: providerContentId,
    views: views?.value ?? "none",
    observedAt: item.observedAt,
  });
}

async function disconnect(
  { report, signal }: Tour,
  user: Subject,
  provider: SocialProvider,
  connectionId: string,
): Promise<void> {
  const disconnection = await user.disconnect(connectionId, { signal });
  report.step(provider, "disconnect", { accepted: disconnection.result.accepted });
  const watch = (name: string) => ({
    signal,
    onProgress: ({ status }: SyncJob) => report.progress(provider, `${name} ${status}`),
  });
  const outcome = await disconnection.settled(watch("revoke"));
  report.receipt(provider, "revoke", await disconnection.revoke.poll({ signal }));
  const erased = await disconnection.erase.wait(watch("erase"));
  report.receipt(provider, "erase", erased);
  requireSuccess(provider, "erase", erased);
  if (outcome === "unknown") throw new Error(`${provider}: the revoke receipt does not state the result of the revoke`);
}

function requireSuccess(provider: string, what: string, job: SyncJob): void {
  if (job.status === "SUCCEEDED") return;
  throw new Error(`${provider}: the ${what} ended ${job.status}${job.errorCode === null ? "" : `, ${job.errorCode}`}`);
}
