import type { ContentItem, ContentPage, DisconnectResult, SyncJob } from "../_generated/consumerWire.ts";
import { PROVIDER_FACTS } from "../description/providers.ts";
import type { Capability, Provider } from "../target/target.ts";
import type { OperationName, Outcome } from "../wire/documents.ts";
import { DOWN } from "./accounts.ts";
import { type Connected, ConnectionSteps, type ConnectOptions } from "./connections.ts";
import { Mismatch } from "./expectation.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Time for a few calls between the time of a wait and the end of a period after it. */
export const MARGIN_MS = 30_000;
const ENDED = ["SUCCEEDED", "FAILED", "CANCELED"];

/** The user's action where a consent may remain at the provider. */
export const REMOVE = "REMOVE_APP_AT_PROVIDER";

/** The service decides how soon an erasure starts: a case may poll this often to observe the state before it. */
export const MAX_POLLS = 8;

export interface Window {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
}

export function windowOf(fromMs: number, toMs: number): Window {
  return { publishedAfter: new Date(fromMs).toISOString(), publishedBefore: new Date(toMs).toISOString() };
}

/** The URL of a post that no account has. */
export const [SOME_POST] = PROVIDER_FACTS.PROVIDER_C.postUrls;

interface LookedUp {
  readonly id: string;
  readonly url: string | null;
}

/** A window in full days before now. A negative `toDaysAgo` is in the future. */
export function daysBack(now: Date, fromDaysAgo: number, toDaysAgo = -1): Window {
  return windowOf(now.getTime() - fromDaysAgo * DAY_MS, now.getTime() - toDaysAgo * DAY_MS);
}

/** The window of whole UTC days that ends with the day of the time in some hours. */
export function wholeDays(now: Date, days: number, inHours = 0): Window {
  const endDay = Math.floor((now.getTime() + inHours * 3_600_000) / DAY_MS) + 1;
  return windowOf((endDay - days) * DAY_MS, endDay * DAY_MS);
}

/** Jobs, the posts that they store, the service's time, and disconnects with their receipts. */
export class JobSteps extends ConnectionSteps {
  readJob({ scope, connectionId }: Connected, id: string): Promise<SyncJob> {
    return this.get("syncJob", { scope, connectionId, id });
  }

  untilJob(connected: Connected, id: string, what: string, isThere: (job: SyncJob) => boolean): Promise<SyncJob> {
    return this.eventually(what, () => this.readJob(connected, id), isThere);
  }

  jobEnd(connected: Connected, id: string): Promise<SyncJob> {
    return this.untilJob(connected, id, "the job ends", (job) => ENDED.includes(job.status));
  }

  /** Waits until a job that failed temporarily has a retry time. */
  untilRetry(connected: Connected, id: string): Promise<SyncJob> {
    return this.untilJob(connected, id, "the job waits for a retry", (job) => job.nextRetryAt !== null);
  }

  /**
   * Waits until a job waits for an hour, and gives the time of the retry. Failures of a provider in other cases may pause
   * its calls before that for seconds.
   */
  async untilHourlyRetry(connected: Connected, id: string): Promise<string> {
    for (let paused: string | null = null, pauses = 0; ; pauses += 1) {
      const isNew = ({ nextRetryAt }: SyncJob) => nextRetryAt !== null && nextRetryAt !== paused;
      const { nextRetryAt } = await this.untilJob(connected, id, "the job waits for a retry", isNew);
      const waitMs = Date.parse(nextRetryAt ?? "") - (await this.now()).getTime();
      if (pauses === 3 || waitMs > HOUR_MS - 5 * MINUTE_MS) {
        this.holds(waitMs > HOUR_MS - 5 * MINUTE_MS && waitMs <= HOUR_MS, "it waits for an hour", waitMs);
        return nextRetryAt ?? "";
      }
      await this.until(nextRetryAt ?? "", 1_000);
      paused = nextRetryAt;
    }
  }

  async requestLookup({ scope, connectionId }: Connected, provider: Provider, account: string): Promise<string> {
    const [post] = await this.publicPosts(provider, account);
    return (await this.get("requestContentLookup", { scope, connectionId, url: post?.url ?? "" })).id;
  }

  async lookUp(connected: Connected, url: string): Promise<SyncJob> {
    return this.jobEnd(connected, (await this.get("requestContentLookup", { ...connected, url })).id);
  }

  async refresh(connected: Connected, providerContentId: string): Promise<SyncJob> {
    return this.jobEnd(connected, (await this.get("requestRefresh", { ...connected, providerContentId })).id);
  }

  /** Continues a scan until it has no cursor; `after` runs after each continuation. */
  async continueScan(connected: Connected, first: SyncJob, after: () => Promise<void> = async () => {}) {
    let job = first;
    for (let round = 0; round < 60 && job.continuationCursor !== null; round += 1) {
      const next = await this.get("requestRefresh", { ...connected, continuationCursor: job.continuationCursor });
      job = await this.jobEnd(connected, next.id);
      await after();
    }
    return job;
  }

  /** Waits until no other scan of the connection is in flight. */
  async requestScan(connected: Connected, window: Window & { readonly maxItems?: number }): Promise<SyncJob> {
    const request = () => this.call("requestRefresh", { ...connected, window });
    const isAnswered = (one: Outcome<SyncJob>) => one.ok || one.code !== "SYNC_WINDOW_BUSY";
    return this.value(await this.eventually("a scan can be requested", request, isAnswered));
  }

  async scan(connected: Connected, window: Window & { readonly maxItems?: number }): Promise<SyncJob> {
    return this.jobEnd(connected, (await this.requestScan(connected, window)).id);
  }

  /** The service's time: its clock's, if available, otherwise this machine's. */
  async now(): Promise<Date> {
    return (await this.target.clock?.now()) ?? new Date();
  }

  contentPage(connected: Connected, of: Window, first = 50, after: string | null = null): Promise<ContentPage> {
    const { publishedAfter, publishedBefore } = of;
    const window = { publishedAfter, publishedBefore, first, ...(after !== null && { after }) };
    return this.get("content", { ...connected, window });
  }

  /** A page of a window that is complete, or incomplete with this reason. */
  async pageReads(connected: Connected, window: Window, incompleteReason: string | null, what = "the page") {
    const page = await this.contentPage(connected, window);
    this.shows(page.pageInfo, { completeForWindow: incompleteReason === null, incompleteReason }, what);
    return page;
  }

  untilIncomplete(connected: Connected, window: Window, reason: string) {
    const read = () => this.contentPage(connected, window, 1);
    return this.eventually(`the page reads ${reason}`, read, ({ pageInfo }) => pageInfo.incompleteReason === reason);
  }

  async allContent(connected: Connected, window: Window, first = 50, from: string | null = null) {
    const items: ContentItem[] = [];
    for (let after = from; ; ) {
      const page: ContentPage = await this.contentPage(connected, window, first, after);
      items.push(...page.items);
      if (!page.pageInfo.hasNextPage) return { items, last: page };
      after = page.pageInfo.endCursor;
    }
  }

  /** A stored post of the days before now, which the first reads of a connection cover. */
  async newestStored(connected: Connected, fromDaysAgo = 6, toDaysAgo = -1): Promise<ContentItem> {
    const { items } = await this.contentPage(connected, daysBack(await this.now(), fromDaysAgo, toDaysAgo), 1);
    const [item] = items;
    if (item === undefined) throw new Mismatch("there is a post", "a post", null);
    return item;
  }

  /** The posts in a window of the days before now that the first reads of a new connection cover. */
  async firstPosts(options: ConnectOptions, fromDaysAgo = 6, toDaysAgo = -1) {
    const connected = await this.connectAndSettle(options);
    const { items } = await this.allContent(connected, daysBack(await this.now(), fromDaysAgo, toDaysAgo));
    this.holds(items.length > 0, "there are posts");
    return items;
  }

  /** A new connection with a scan of a window in days before now, and the posts of that window. */
  async scanned(options: ConnectOptions, fromDaysAgo: number, toDaysAgo?: number) {
    return this.scannedWindow(options, daysBack(await this.now(), fromDaysAgo, toDaysAgo));
  }

  /** The same with the days before the account's newest post, however old it is. */
  async scannedNewest(provider: Provider, account: string, days: number) {
    return this.scannedWindow({ provider, account }, daysBack(await this.newestPost(provider, account), days));
  }

  async scannedWindow(options: ConnectOptions, window: Window) {
    const connected = await this.connectAndSettle(options);
    const job = await this.scan(connected, window);
    return { connected, window, job, ...(await this.allContent(connected, window)) };
  }

  storedPost({ scope, connectionId }: Connected, providerContentId: string): Promise<ContentItem | null> {
    return this.get("contentItem", { scope, connectionId, providerContentId });
  }

  /**
   * The content operations respond according to the capabilities of which they need one. With `names` only those whose
   * names begin so, for a connection that was never granted others: it has stored posts only if it lists them.
   */
  async operationsFollow(connected: Connected, served: readonly Capability[], post: LookedUp, names = "") {
    const calls = await this.contentCalls(connected, post);
    for (const [needed, name, args] of calls.filter(([, one]) => one.startsWith(names))) {
      const outcome = await this.callWith(this.api, name, args);
      const what = `${name} (needs ${needed.join(" or ")}) with ${served.join(", ")}`;
      if (!needed.some((one) => served.includes(one))) this.fails(outcome, "CAPABILITY_UNAVAILABLE", what);
      else if (names !== "" && needed[0] === "CONTENT_METRICS") this.fails(outcome, "NOT_FOUND", what);
      else this.value(outcome, what);
    }
  }

  async contentRefused(connected: Connected, code: string, post: LookedUp = { id: "1", url: SOME_POST }) {
    for (const [, name, args] of await this.contentCalls(connected, post)) await this.refuses(name, args, code);
  }

  /** A call of each form of each content operation, with the capabilities of which it needs one. */
  private async contentCalls(connected: Connected, { id: providerContentId, url }: LookedUp) {
    const window = daysBack(await this.now(), 6);
    return [
      [["CONTENT_LIST"], "content", { ...connected, window: { ...window, first: 1 } }],
      [["CONTENT_LIST", "CONTENT_LOOKUP"], "contentItem", { ...connected, providerContentId }],
      [["CONTENT_LIST"], "requestRefresh", { ...connected, window }],
      [["CONTENT_METRICS"], "requestRefresh", { ...connected, providerContentId }],
      [["CONTENT_LOOKUP"], "requestContentLookup", { ...connected, url }],
    ] as const satisfies readonly (readonly [readonly Capability[], OperationName, object])[];
  }

  disconnect(connected: Connected): Promise<DisconnectResult> {
    return this.get("disconnectConnection", connected);
  }

  /**
   * While `during` runs the provider accepts no revocation of the account, so that no revoke settles and no erasure
   * completes.
   */
  whileRevokeFails<Result>(provider: Provider, account: string, during: () => Promise<Result>): Promise<Result> {
    return this.whileFault(provider, "revoke", DOWN, { account }, during);
  }

  /** Disconnects; `during` runs while the revoke cannot settle. Then only the receipts remain. */
  async whileRevoking(
    connected: Connected,
    provider: Provider,
    account: string,
    during: (disconnected: DisconnectResult) => Promise<void>,
  ) {
    const disconnected = await this.whileRevokeFails(provider, account, async () => {
      const result = await this.disconnect(connected);
      await during(result);
      return result;
    });
    await this.erased(connected, disconnected);
    return disconnected;
  }

  async receipts(connected: Connected, disconnected: DisconnectResult) {
    const revoke = await this.jobEnd(connected, disconnected.revokeJobId);
    const erase = await this.jobEnd(connected, disconnected.eraseJobId);
    return { revoke, erase };
  }

  async disconnectAndErase(connected: Connected): Promise<DisconnectResult> {
    const disconnected = await this.disconnect(connected);
    await this.erased(connected, disconnected);
    return disconnected;
  }

  /** The revoke receipt of a successful revoke, or the one with this error; then waits for the erasure. */
  async revokedAndErased(connected: Connected, disconnected: DisconnectResult, errorCode: string | null = null) {
    const { revoke } = await this.receipts(connected, disconnected);
    const ended =
      errorCode === null ? { status: "SUCCEEDED", creatorAction: null } : { status: "FAILED", creatorAction: REMOVE };
    this.shows(revoke, { ...ended, errorCode, nextRetryAt: null }, "the revoke receipt");
    await this.erased(connected, disconnected);
    return revoke;
  }

  async erased(connected: Connected, disconnected: DisconnectResult): Promise<void> {
    const { erase } = await this.receipts(connected, disconnected);
    this.shows(erase, { status: "SUCCEEDED", errorCode: null, creatorAction: null }, "the erase receipt");
    await this.connectionRefused(connected, "NOT_FOUND");
  }
}
