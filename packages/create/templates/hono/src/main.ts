import { serve } from "@hono/node-server";
import type { SocialProvider } from "@social-connect/sdk";
import { launchPage, SocialConnectError, TimeoutError } from "@social-connect/sdk";
import type { Context } from "hono";
import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { handleEvent } from "./events.ts";
import { disconnectPage, homePage, messagePage, PAGE_HEADERS, postsPage } from "./pages.ts";
import { availableProviders, ownOrigin, refreshPosts, returnUrl, shownDays, subjectOf } from "./social.ts";
import { errorText, REMOVE_APP, resultText } from "./texts.ts";

/**
 * PLACEHOLDER for your sign-in: return the id of the signed-in user from the session of the request. Never take it from
 * a parameter, a form or a header that the browser sets.
 */
function signedInUserId(_context: Context): string {
  return "user-1";
}

const { port, pathname: returnPath, protocol } = new URL(returnUrl);
/** Remembers the attempt that this browser started. `Lax`: the browser sends it when the user returns. */
const ATTEMPT = "attempt";
const COOKIE = { httpOnly: true, sameSite: "Lax", secure: protocol === "https:", path: "/" } as const;

const app = new Hono();
app.use(async (context, next) => {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) context.header(name, value);
  await next();
});
// #region events
// Before the check for browsers: a signature of the raw body is the authentication.
app.post("/events", async ({ req }) => new Response(null, { status: await handleEvent(req.raw) }));
// #endregion events
// Only this application's own pages may post its forms.
app.use(async (context, next) => {
  if (context.req.method !== "POST" || context.req.header("origin") === ownOrigin) return next();
  return context.html(messagePage("Open another address", `This application runs at ${ownOrigin}.`, ownOrigin), 403);
});

app.get("/", async (context) => {
  const user = subjectOf(signedInUserId(context));
  const [accounts, providers] = await Promise.all([user.connections().toArray({ limit: 100 }), availableProviders()]);
  return context.html(homePage(accounts, providers));
});

// #region connect
app.post("/connect", async (context) => {
  const user = subjectOf(signedInUserId(context));
  // The service refuses any other value.
  const { provider, reconnectConnectionId } = await context.req.parseBody<Record<string, string>>();
  const attempt = await user.connect({
    provider: provider as SocialProvider,
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
    returnUrl,
    reconnectConnectionId,
  });
  setCookie(context, ATTEMPT, attempt.id, COOKIE);
  // The page posts a one-time token to the service. Its headers must not change.
  const page = launchPage(attempt);
  return context.body(page.html, 200, { ...page.headers });
});
// #endregion connect

app.get(returnPath, async (context) => {
  // Anyone can open this URL, so the id must equal that of the attempt which this browser started.
  const attemptId = getCookie(context, ATTEMPT);
  if (attemptId === undefined || context.req.query("ss_session_id") !== attemptId) {
    return context.html(messagePage("Nothing to finish", "You did not start this here."), 404);
  }
  const user = subjectOf(signedInUserId(context));
  try {
    const result = await user.connectResult(attemptId).wait({ deadline: new Date(Date.now() + 5_000) });
    if (result.status === "COMPLETED") return context.redirect(`/accounts/${result.connectionId}`, 303);
    return context.html(messagePage("Nothing was linked", resultText(result)));
  } catch (error) {
    if (!TimeoutError.is(error)) throw error;
    return context.html(messagePage("One moment", "The service is not ready yet.", context.req.url));
  }
});

app.get("/accounts/:id", async (context) => {
  const user = subjectOf(signedInUserId(context));
  const id = context.req.param("id");
  const [account, posts] = await Promise.all([user.connection(id), user.content(id, shownDays()).page()]);
  return context.html(postsPage(account, posts));
});

app.post("/accounts/:id/refresh", async (context) => {
  const id = context.req.param("id");
  await refreshPosts(subjectOf(signedInUserId(context)), id);
  return context.redirect(`/accounts/${encodeURIComponent(id)}`, 303);
});

app.get("/accounts/:id/disconnect", (context) => context.html(disconnectPage(context.req.param("id"))));
app.post("/accounts/:id/disconnect", async (context) => {
  const { result } = await subjectOf(signedInUserId(context)).disconnect(context.req.param("id"));
  if (result.creatorAction === null) return context.redirect("/", 303);
  return context.html(messagePage("Disconnected", REMOVE_APP));
});

/** Errors of the SDK contain no key, token or argument, so they can be logged. */
app.onError((error, context) => {
  if (!SocialConnectError.is(error)) throw error;
  console.error(JSON.stringify(error));
  return context.html(messagePage("That did not work", errorText(error)), error.code === "NOT_FOUND" ? 404 : 502);
});

// Without a sign-in, only this machine may reach it. In a container, set HOST to 0.0.0.0.
const hostname = process.env["HOST"] ?? "localhost";
serve({ fetch: app.fetch, hostname, port: Number(process.env["PORT"] ?? (port || 3000)) }, () => {
  console.log(`The application runs at ${ownOrigin}`);
});
