import { type ContentPage, SocialConnectError } from "@social-connect/sdk";
import { Hono } from "hono";
import { hasEnded } from "../core/accounts.ts";
import {
  type AppContext,
  type AppEnvironment,
  type Dependencies,
  readDeadline,
  type SignedIn,
  secondsFromNow,
} from "../core/context.ts";
import { type LoadedAccount, loadAccount } from "../core/load.ts";
import type { DaysBack, Scan } from "../core/scans.ts";
import { accountPage, WINDOW_CHOICES } from "../views/account.ts";

const DAY_MS = 24 * 3600 * 1_000;
const PAGE_SIZE = 24;
/** A scan of 90 days at a slow provider ends well before. */
const SCAN_SECONDS = 15 * 60;

export function accountRoutes(dependencies: Dependencies) {
  const { scans } = dependencies;
  const routes = new Hono<AppEnvironment>();

  routes.get("/accounts/:id", async (c) => {
    const { user } = c.get("signedIn");
    const id = c.req.param("id");
    const loaded = await loadAccount(dependencies, c.get("signedIn"), id);
    if (hasEnded(loaded.account)) return c.redirect(`/receipts/${id}`, 303);
    const scan = scans.of(id);
    const window = windowOf(c, scan, dependencies.clock.now());
    const after = c.req.query("after");
    const posts = await readPosts(dependencies, c.get("signedIn"), loaded, window, after);
    const isBusy = isInProgress(loaded, scan);
    return c.html(accountPage({ user, ...loaded, isBusy, window, posts, scan, isFirstPage: after === undefined }));
  });

  routes.post("/accounts/:id/refresh", async (c) => {
    const { subject } = c.get("signedIn");
    const id = c.req.param("id");
    const { days } = await c.req.parseBody();
    const window = lastDays(daysOf(days), dependencies.clock.now());
    const refresh = subject.refresh(id, { window: { publishedAfter: window.from, publishedBefore: window.to } });
    await scans.begin(id, refresh, window, secondsFromNow(dependencies, SCAN_SECONDS));
    return c.redirect(`/accounts/${encodeURIComponent(id)}?days=${window.days}`, 303);
  });

  return routes;
}

/** Whether the page changes soon, and is loaded again. */
function isInProgress({ account, outage }: LoadedAccount, scan: Scan | undefined): boolean {
  const { connection } = account;
  // An account without this capability is never scanned, so waiting for its first scan would have no end.
  const isListed = connection.capabilities.some(({ capability }) => capability === "CONTENT_LIST");
  const isPending = connection.syncStatus === "PENDING" || connection.syncStatus === "RUNNING";
  const isRead = isListed && isPending && connection.status === "CONNECTED";
  return scan?.state === "running" || isRead || outage !== undefined;
}

/** Null when the posts cannot be read: the rest of the page is shown without them. */
async function readPosts(
  dependencies: Dependencies,
  { subject }: SignedIn,
  { account: { connection }, outage }: LoadedAccount,
  { from, to }: DaysBack,
  after: string | undefined,
): Promise<ContentPage | null> {
  if (connection.status !== "CONNECTED" || outage !== undefined) return null;
  try {
    const window = { publishedAfter: from, publishedBefore: to };
    const options = { pageSize: PAGE_SIZE, deadline: readDeadline(dependencies) };
    return await subject.content(connection.id, window, options).page(after);
  } catch (error) {
    if (SocialConnectError.is(error)) return null;
    throw error;
  }
}

/**
 * Later pages pass the exact window, because a cursor is only valid for the window it was made for. The first page uses
 * the window of the last scan: a window that ends now could never be complete.
 */
function windowOf(c: AppContext, scan: Scan | undefined, now: Date): DaysBack {
  const { from, to, days } = c.req.query();
  if (isMoment(from) && isMoment(to)) return { days: daysOf(days), from, to };
  return scan !== undefined && (days ?? String(scan.window.days)) === String(scan.window.days)
    ? scan.window
    : lastDays(daysOf(days), now);
}

function isMoment(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}

function lastDays(days: number, now: Date): DaysBack {
  return { days, from: new Date(now.getTime() - days * DAY_MS).toISOString(), to: now.toISOString() };
}

function daysOf(text: unknown): number {
  return WINDOW_CHOICES.find((choice) => String(choice) === text) ?? 30;
}
