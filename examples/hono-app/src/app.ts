import {
  type Clock,
  launchPage,
  SocialConnect,
  SocialConnectError,
  type SocialProvider,
  type Subject,
  TimeoutError,
} from "@social-connect/sdk";
import { Hono, type MiddlewareHandler } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { type Session, Sessions } from "./session.ts";
import type { Settings } from "./settings.ts";
import { homePage, messagePage, PEOPLE, postsPage, signInPage } from "./views.ts";

/** What tests pass; a runtime has defaults. */
export interface Runtime {
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
  readonly log?: (line: string) => void;
}

type Variables = { readonly session: Session; readonly subject: Subject };
type App = Hono<{ Variables: Variables }>;

/** How long a page waits for the service before it is shown without its answer. */
const PATIENCE_MS = 3_000;
const PROVIDERS: readonly string[] = ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] satisfies readonly SocialProvider[];

/**
 * The application as a function of its settings. It only uses web standard APIs, so it runs on Node, in a worker, and
 * in a test without a port.
 */
export function createApp({ client, tenantKey, returnUrl, sessionSecret }: Settings, runtime: Runtime = {}): App {
  const { log = console.error, ...given } = runtime;
  const { origin } = new URL(returnUrl);
  const social = new SocialConnect({ ...client, ...given });
  const sessions = new Sessions(sessionSecret, origin);
  const now = () => given.clock?.now() ?? Date.now();
  const app: App = new Hono();

  app.use(pageHeaders);
  // Every change is a form post, and is taken from this application's own pages only.
  app.use(csrf({ origin }));

  app.get("/sign-in", (c) => c.html(signInPage()));
  app.post("/sign-in", async (c) => {
    const { user } = await c.req.parseBody();
    if (typeof user !== "string" || !PEOPLE.includes(user)) return c.html(signInPage(), 400);
    await sessions.write(c, { userId: user, attempts: [] });
    return c.redirect("/", 303);
  });
  app.post("/sign-out", (c) => {
    sessions.end(c);
    return c.redirect("/sign-in", 303);
  });

  // #region hono-subject
  app.use(async (c, next) => {
    const session = await sessions.read(c);
    if (session === null) return c.redirect("/sign-in", 303);
    c.set("session", session);
    // The scope comes from the signed session, and from nowhere else.
    c.set("subject", social.forSubject({ tenantKey, externalSubjectId: session.userId }));
    return next();
  });
  // #endregion hono-subject

  app.get("/", async (c) => {
    const deadline = new Date(now() + PATIENCE_MS);
    const [readiness, connections] = await Promise.all([
      social.readiness({ deadline }).catch(() => null),
      // An outage says nothing about the accounts, so it is not shown as an empty list.
      listOf(c.get("subject").connections({ deadline })).catch(unlessServiceError),
    ]);
    return c.html(homePage(c.get("session").userId, readiness, connections));
  });

  /** Logs an error of the SDK and continues without the value; any other error is a mistake in this application. */
  function unlessServiceError(error: unknown): null {
    if (!SocialConnectError.is(error)) throw error;
    log(JSON.stringify(error));
    return null;
  }

  app.post("/connect", async (c) => {
    const { provider, connectionId } = await c.req.parseBody();
    if (!isProvider(provider)) return c.html(messagePage("No such provider", "Choose one of those shown."), 400);
    const attempt = await c.get("subject").connect({
      provider,
      capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
      returnUrl,
      ...(typeof connectionId === "string" ? { reconnectConnectionId: connectionId } : {}),
    });
    // Stored in the user's session before the browser leaves.
    const { userId, attempts } = c.get("session");
    await sessions.write(c, { userId, attempts: [...attempts, attempt.id] });
    const { html, headers } = launchPage(attempt);
    return c.body(html, 200, { ...headers });
  });

  /** `ss_status` is what the browser says, so it is not even read: only the service's own result counts. */
  app.get("/return", async (c) => {
    const id = c.req.query("ss_session_id") ?? "";
    if (!c.get("session").attempts.includes(id)) {
      return c.html(messagePage("Nothing to finish", "This address belongs to nothing that you began here."), 404);
    }
    try {
      const result = await c
        .get("subject")
        .connectResult(id)
        .wait({ deadline: new Date(now() + PATIENCE_MS), signal: c.req.raw.signal });
      if (result.status === "COMPLETED") return c.redirect(`/posts/${encodeURIComponent(result.connectionId)}`, 303);
      return c.html(messagePage("Nothing was linked", `It ended ${result.status} (${result.resultCode}).`));
    } catch (error) {
      if (!TimeoutError.is(error)) throw error;
      const again = `/return?ss_session_id=${encodeURIComponent(id)}`;
      return c.html(messagePage("One moment", "The service is still busy with it.", again));
    }
  });

  app.get("/posts/:id", async (c) => {
    const [subject, id] = [c.get("subject"), c.req.param("id")];
    // These days are read after a connect, and daily, so the first view is complete.
    const window = social.recentWindow(7);
    const [connection, posts] = await Promise.all([subject.connection(id), subject.content(id, window).page()]);
    return c.html(postsPage(connection, posts));
  });

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    // Errors of the SDK are made to be logged; of anything else, only the stack, which holds no request.
    log(SocialConnectError.is(error) ? JSON.stringify(error) : String(error.stack));
    const { title, text, status } = explain(error);
    return c.html(messagePage(title, text), status);
  });

  return app;
}

/** No script, no frame, no foreign address; `same-origin` keeps the forms' Origin header. */
const OWN_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** The launch page has its own policy, which must not be replaced: another policy would block its form. */
const pageHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.res.headers.has("content-security-policy")) return;
  for (const [name, value] of Object.entries(OWN_HEADERS)) c.header(name, value);
};

async function listOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function isProvider(value: unknown): value is SocialProvider {
  return typeof value === "string" && PROVIDERS.includes(value);
}

function explain(error: unknown): { readonly title: string; readonly text: string; readonly status: 404 | 429 | 502 } {
  const code = SocialConnectError.is(error) ? error.code : "";
  const wait = SocialConnectError.is(error) ? error.retryAfterSeconds : undefined;
  if (code === "NOT_FOUND")
    return { title: "Not there", text: "It was removed, or belongs to another account.", status: 404 };
  if (code === "RATE_LIMITED") {
    const when = wait === undefined ? "in a while" : `in ${wait} seconds`;
    return { title: "Too many requests", text: `Try again ${when}.`, status: 429 };
  }
  if (code === "RECONNECT_REQUIRED") {
    return { title: "Connect it again", text: "The provider no longer accepts the consent.", status: 502 };
  }
  return { title: "That did not work", text: "Try again in a while.", status: 502 };
}
