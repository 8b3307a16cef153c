import type { Connection, ContentPage, Subject } from "@social-connect/sdk";
import { SocialConnectError } from "@social-connect/sdk";
import { Hono } from "hono";
import { html } from "hono/html";
import type { AppContext, AppEnvironment, Dependencies } from "../core/context.ts";
import { secondsFromNow } from "../core/context.ts";
import type { DaysBack, Scan } from "../core/scans.ts";
import { accountPage, WINDOW_CHOICES } from "../views/account.ts";
import { connectForm } from "../views/components.ts";
import { linkButton, messagePage } from "../views/layout.ts";

const DAY_MS = 24 * 3600 * 1_000;
const PAGE_SIZE = 24;
/** A scan of 90 days at a slow provider ends well before. */
const SCAN_SECONDS = 15 * 60;

export function accountRoutes(dependencies: Dependencies) {
  const { scans } = dependencies;
  const routes = new Hono<AppEnvironment>();

  routes.get("/accounts/:id", async (c) => {
    const { user, subject } = c.get("signedIn");
    const id = c.req.param("id");
    const connection = await readConnection(subject, id);
    if (connection === "reconnect") return reconnectPage(c, id);
    if (connection.status === "DISCONNECTED" || connection.status === "DELETING")
      return c.redirect(`/receipts/${id}`, 303);
    const scan = scans.of(id);
    const window = windowOf(c, scan, dependencies.clock.now());
    const after = c.req.query("after");
    const posts = connection.status === "CONNECTED" ? await readPosts(subject, id, window, after) : null;
    const model = { user, connection, window, posts, scan, isFirstPage: after === undefined };
    return c.html(accountPage(model));
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

/** An expired grant is not an error of the page: it offers to connect again. */
async function readConnection(subject: Subject, id: string): Promise<Connection | "reconnect"> {
  try {
    return await subject.connection(id);
  } catch (error) {
    if (SocialConnectError.is(error) && error.code === "RECONNECT_REQUIRED") return "reconnect";
    throw error;
  }
}

async function reconnectPage(c: AppContext, id: string) {
  const { user, subject } = c.get("signedIn");
  let provider: string | undefined;
  for await (const connection of subject.connections()) if (connection.id === id) provider = connection.provider;
  const text = "The provider no longer accepts the consent you gave. Connect the account again to continue.";
  const again =
    provider === undefined
      ? html``
      : connectForm(provider, { label: "Connect again", available: true, connectionId: id });
  const actions = html`${again}${linkButton("/", "Your accounts")}${linkButton(`/accounts/${id}/disconnect`, "Disconnect…")}`;
  return c.html(messagePage({ title: "This account needs you", text, user, mood: "bad" }, actions), 409);
}

/** Shows the rest of the page without posts. */
async function readPosts(
  subject: Subject,
  id: string,
  { from, to }: DaysBack,
  after: string | undefined,
): Promise<ContentPage | null> {
  try {
    const window = { publishedAfter: from, publishedBefore: to };
    return await subject.content(id, window, { pageSize: PAGE_SIZE }).page(after);
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
