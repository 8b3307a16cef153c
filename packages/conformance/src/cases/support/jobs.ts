import type { SyncJob } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Provider } from "../../target/target.ts";
import { publicPosts } from "./accounts.ts";
import type { Connected } from "./connections.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ENDED = ["SUCCEEDED", "FAILED", "CANCELED"];

export function readJob(t: CaseContext, { scope, connectionId }: Connected, id: string): Promise<SyncJob> {
  return t.get("syncJob", { scope, connectionId, id });
}

export function untilJob(
  t: CaseContext,
  connected: Connected,
  id: string,
  what: string,
  isThere: (job: SyncJob) => boolean,
  patienceMs?: number,
): Promise<SyncJob> {
  return t.eventually(what, () => readJob(t, connected, id), isThere, patienceMs);
}

export function jobEnd(t: CaseContext, connected: Connected, id: string, patienceMs?: number): Promise<SyncJob> {
  return untilJob(t, connected, id, "the job ends", (job) => ENDED.includes(job.status), patienceMs);
}

/** Waits until a job that failed temporarily has a retry time. */
export function untilRetry(t: CaseContext, connected: Connected, id: string): Promise<SyncJob> {
  return untilJob(t, connected, id, "the job waits for a retry", (job) => job.nextRetryAt !== null);
}

/**
 * Waits until a job waits for an hour, and gives the time of the retry. Failures of a provider in other cases may pause
 * its calls before that for seconds.
 */
export async function untilHourlyRetry(t: CaseContext, connected: Connected, id: string): Promise<string> {
  for (let paused: string | null = null, pauses = 0; ; pauses += 1) {
    const isNew = ({ nextRetryAt }: SyncJob) => nextRetryAt !== null && nextRetryAt !== paused;
    const { nextRetryAt } = await untilJob(t, connected, id, "the job waits for a retry", isNew);
    const waitMs = Date.parse(nextRetryAt ?? "") - (await serviceNow(t)).getTime();
    if (pauses === 3 || waitMs > HOUR_MS - 5 * MINUTE_MS) {
      t.holds(waitMs > HOUR_MS - 5 * MINUTE_MS && waitMs <= HOUR_MS, "it waits for an hour", waitMs);
      return nextRetryAt ?? "";
    }
    await t.until(nextRetryAt ?? "", 1_000);
    paused = nextRetryAt;
  }
}

export async function requestLookup(
  t: CaseContext,
  { scope, connectionId }: Connected,
  provider: Provider,
  account: string,
): Promise<string> {
  const [post] = await publicPosts(t, provider, account);
  return (await t.get("requestContentLookup", { scope, connectionId, url: post?.url ?? "" })).id;
}

export async function lookUp(t: CaseContext, { scope, connectionId }: Connected, url: string): Promise<SyncJob> {
  const { id } = await t.get("requestContentLookup", { scope, connectionId, url });
  return jobEnd(t, { scope, connectionId }, id);
}

export async function refresh(t: CaseContext, connected: Connected, providerContentId: string): Promise<SyncJob> {
  const { scope, connectionId } = connected;
  const { id } = await t.get("requestRefresh", { scope, connectionId, providerContentId });
  return jobEnd(t, connected, id);
}

/** Continues a scan until it has no cursor; `after` runs after each continuation. */
export async function continueScan(
  t: CaseContext,
  connected: Connected,
  first: SyncJob,
  after: () => Promise<void> = async () => {},
): Promise<SyncJob> {
  let job = first;
  for (let round = 0; round < 10 && job.continuationCursor !== null; round += 1) {
    const next = await t.get("requestRefresh", { ...connected, continuationCursor: job.continuationCursor });
    job = await jobEnd(t, connected, next.id);
    await after();
  }
  return job;
}

export async function scan(
  t: CaseContext,
  connected: Connected,
  window: Window & { readonly maxItems?: number },
): Promise<SyncJob> {
  const job = await t.eventually(
    "a scan can be requested",
    () => t.call("requestRefresh", { ...connected, window }),
    (outcome) => outcome.ok || outcome.code !== "SYNC_WINDOW_BUSY",
  );
  return jobEnd(t, connected, t.value(job, "requestRefresh accepts the window").id);
}

const DAY_MS = 86_400_000;

export interface Window {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
}

/** A window in full days before now. A negative `toDaysAgo` is in the future. */
export function daysBack(now: Date, fromDaysAgo: number, toDaysAgo = -1): Window {
  return {
    publishedAfter: new Date(now.getTime() - fromDaysAgo * DAY_MS).toISOString(),
    publishedBefore: new Date(now.getTime() - toDaysAgo * DAY_MS).toISOString(),
  };
}

/** The window of whole UTC days that ends with the day of the time in some hours. */
export function wholeDays(now: Date, days: number, inHours = 0): Window {
  const endDay = Math.floor((now.getTime() + inHours * 3_600_000) / DAY_MS) + 1;
  const at = (day: number) => new Date(day * DAY_MS).toISOString();
  return { publishedAfter: at(endDay - days), publishedBefore: at(endDay) };
}

/** The service's time: its clock's, if available, otherwise this machine's. */
export async function serviceNow(t: CaseContext): Promise<Date> {
  return (await t.target.clock?.now()) ?? new Date();
}
