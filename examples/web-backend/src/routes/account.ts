import { type ContentPage, type PublishedWindow, SocialConnectError, TimeoutError } from "@social-connect/sdk";
import { Hono } from "hono";
import { hasEnded } from "../core/accounts.ts";
import { type AppContext, type AppEnvironment, type Dependencies, within } from "../core/context.ts";
import { explainJob, explainOutage } from "../core/explain.ts";
import { type LoadedAccount, loadAccount, loadAccounts } from "../core/load.ts";
import { accountPage, type Scan, WINDOW_CHOICES } from "../views/account.ts";
import { homePage } from "../views/home.ts";
import { linkButton, messagePage } from "../views/layout.ts";
import { postPage } from "../views/post.ts";

const PAGE_SIZE = 24;

export function accountRoutes(dependencies: Dependencies) {
  const { social, store } = dependencies;
  const routes = new Hono<AppEnvironment>();

  routes.get("/", async (c) => {
    const { user } = c.get("signedIn");
    const [readiness, loaded] = await Promise.all([
      social.readiness(within(dependencies)).catch(() => null),
      loadAccounts(dependencies, c.get("signedIn")),
    ]);
    const listed = new Set(loaded.accounts.map(({ connection }) => connection.id));
    const disconnections = [...store.disconnections]
      .filter(([id, { userId }]) => userId === user.id && !listed.has(id))
      .map(([connectionId, saved]) => ({ connectionId, ...saved }));
    return c.html(homePage({ user, readiness, ...loaded, disconnections }));
  });

  routes.get("/accounts/:id", async (c) => {
    const { user } = c.get("signedIn");
    const id = c.req.param("id");
    const loaded = await loadAccount(dependencies, c.get("signedIn"), id);
    if (hasEnded(loaded.account.connection)) return c.redirect(`/receipts/${id}`, 303);
    const days = daysOf(c.req.query("days"));
    const window = windowOf(c, social.recentWindow(days));
    const after = c.req.query("after");
    const scan = loaded.outage === undefined ? await followScan(dependencies, id) : undefined;
    const posts = await readPosts(c, loaded, window, after);
    const isBusy = scan?.isRunning === true || isInProgress(loaded);
    return c.html(
      accountPage({ user, ...loaded, isBusy, days, window, posts, scan, isFirstPage: after === undefined }),
    );
  });

  routes.post("/accounts/:id/refresh", async (c) => {
    const id = c.req.param("id");
    const days = daysOf((await c.req.parseBody())["days"]);
    const refresh = c.get("signedIn").subject.refresh(id, { window: social.recentWindow(days) });
    await refresh.start();
    store.scans.set(id, refresh.toJSON());
    return c.redirect(`${accountPath(id)}?days=${days}`, 303);
  });

  routes.get("/accounts/:id/posts/:postId", async (c) => {
    const { user, subject } = c.get("signedIn");
    const { id, postId } = c.req.param();
    const post = await subject.contentItem(id, postId, within(dependencies));
    if (post === null) return notFound(c, id, "This post has not been read from the provider.");
    return c.html(postPage({ user, connectionId: id, post }));
  });

  routes.post("/accounts/:id/posts/:postId/refresh", async (c) => {
    const { id, postId } = c.req.param();
    const refresh = c.get("signedIn").subject.refresh(id, { providerContentId: postId });
    const job = await refresh.wait(within(dependencies)).catch((error: unknown) => {
      // It goes on without this page, which then shows the numbers of the last read.
      if (TimeoutError.is(error)) return null;
      throw error;
    });
    if (job !== null && job.status !== "SUCCEEDED") return notFound(c, id, explainJob(job));
    return c.redirect(`${accountPath(id)}/posts/${encodeURIComponent(postId)}`, 303);
  });

  /** Null when the posts cannot be read: the rest of the page is shown without them. */
  async function readPosts(
    c: AppContext,
    { account: { connection }, outage }: LoadedAccount,
    window: PublishedWindow,
    after: string | undefined,
  ): Promise<ContentPage | null> {
    if (connection.status !== "CONNECTED" || outage !== undefined) return null;
    const { subject } = c.get("signedIn");
    try {
      return await subject.content(connection.id, window, { pageSize: PAGE_SIZE, ...within(dependencies) }).page(after);
    } catch (error) {
      if (SocialConnectError.is(error)) return null;
      throw error;
    }
  }

  return routes;
}

/**
 * Looks how far the scan is that the user started, and continues it where one scan does not cover its window. Nothing runs
 * between two pages, so a restart loses nothing once the scan is in a database.
 */
async function followScan(dependencies: Dependencies, id: string): Promise<Scan | undefined> {
  const { social, store } = dependencies;
  const saved = store.scans.get(id);
  if (saved === undefined) return undefined;
  const refresh = social.resume(saved);
  try {
    const { last } = await refresh.scanAll(within(dependencies, 1));
    store.scans.delete(id);
    return { isRunning: false, problem: last.status === "SUCCEEDED" ? undefined : explainJob(last) };
  } catch (error) {
    if (!SocialConnectError.is(error)) throw error;
    store.scans.set(id, refresh.toJSON());
    if (TimeoutError.is(error) || explainOutage(error) !== undefined) return { isRunning: true, problem: undefined };
    store.scans.delete(id);
    return { isRunning: false, problem: `The reading could not be followed to its end (${error.code}).` };
  }
}

/** Whether the page changes soon, and is loaded again. */
function isInProgress({ account: { connection }, outage }: LoadedAccount): boolean {
  // An account without this capability is never scanned, so waiting for its first scan would have no end.
  const isListed = connection.capabilities.some(({ capability }) => capability === "CONTENT_LIST");
  const isPending = connection.syncStatus === "PENDING" || connection.syncStatus === "RUNNING";
  return (isListed && isPending && connection.status === "CONNECTED") || outage !== undefined;
}

/** Later pages pass the exact window, because a cursor is only valid for the window it was made for. */
function windowOf(c: AppContext, recent: PublishedWindow): PublishedWindow {
  const { from = "", to = "" } = c.req.query();
  return Number.isNaN(Date.parse(from) + Date.parse(to)) ? recent : { publishedAfter: from, publishedBefore: to };
}

function daysOf(text: unknown): number {
  return WINDOW_CHOICES.find((choice) => String(choice) === text) ?? WINDOW_CHOICES[0];
}

function accountPath(id: string): string {
  return `/accounts/${encodeURIComponent(id)}`;
}

function notFound(c: AppContext, id: string, text: string) {
  const { user } = c.get("signedIn");
  const back = linkButton(accountPath(id), "Back to the account", "primary");
  return c.html(messagePage({ title: "No such post", text, user, mood: "bad" }, back), 404);
}
