import { launchPage, SocialConnectError, TimeoutError } from "@social-connect/sdk";
import cookieParser from "cookie-parser";
import type { ErrorRequestHandler, Request } from "express";
import express from "express";
import { handleEvent } from "./events.ts";
import { disconnectPage, homePage, messagePage, PAGE_HEADERS, postsPage } from "./pages.ts";
import { availableProviders, ownOrigin, refreshPosts, returnUrl, shownDays, subjectOf } from "./social.ts";
import { errorText, REMOVE_APP, resultText } from "./texts.ts";

/**
 * PLACEHOLDER for your sign-in: return the id of the signed-in user from the session of the request. Never take it from
 * a parameter, a form or a header that the browser sets.
 */
function signedInUserId(_request: Request): string {
  return "user-1";
}

const { port, pathname: returnPath, protocol } = new URL(returnUrl);
/** Remembers the attempt that this browser started. `lax`: the browser sends it when the user returns. */
const ATTEMPT = "attempt";
const COOKIE = { httpOnly: true, sameSite: "lax", secure: protocol === "https:" } as const;

const app = express();
app.disable("x-powered-by");
app.use((_request, response, next) => {
  response.set(PAGE_HEADERS);
  next();
});
// #region events
// Before the parser and the check for browsers: a signature of the raw body is the authentication.
app.post("/events", express.raw({ type: "application/json" }), async ({ headers, body }, response) => {
  response.status(await handleEvent({ headers, body })).end();
});
// #endregion events
app.use(express.urlencoded());
app.use(cookieParser());
// Only this application's own pages may post its forms.
app.use((request, response, next) => {
  if (request.method !== "POST" || request.headers.origin === ownOrigin) return next();
  response.status(403).send(messagePage("Open another address", `This application runs at ${ownOrigin}.`, ownOrigin));
});

app.get("/", async (request, response) => {
  const user = subjectOf(signedInUserId(request));
  const [accounts, providers] = await Promise.all([user.connections().toArray({ limit: 100 }), availableProviders()]);
  response.send(homePage(accounts, providers));
});

// #region connect
app.post("/connect", async (request, response) => {
  const user = subjectOf(signedInUserId(request));
  const attempt = await user.connect({
    // The service refuses any other value.
    provider: request.body.provider,
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
    returnUrl,
    reconnectConnectionId: request.body.reconnectConnectionId,
  });
  const page = launchPage(attempt);
  // The page posts a one-time token to the service. Its headers must not change.
  response.cookie(ATTEMPT, attempt.id, COOKIE).set(page.headers).send(page.html);
});
// #endregion connect

app.get(returnPath, async (request, response) => {
  // Anyone can open this URL, so the id must equal that of the attempt which this browser started.
  const attemptId: unknown = request.cookies[ATTEMPT];
  if (typeof attemptId !== "string" || request.query.ss_session_id !== attemptId) {
    response.status(404).send(messagePage("Nothing to finish", "You did not start this here."));
    return;
  }
  const user = subjectOf(signedInUserId(request));
  try {
    const result = await user.connectResult(attemptId).wait({ deadline: new Date(Date.now() + 5_000) });
    if (result.status === "COMPLETED") response.redirect(303, `/accounts/${result.connectionId}`);
    else response.send(messagePage("Nothing was linked", resultText(result)));
  } catch (error) {
    if (!TimeoutError.is(error)) throw error;
    response.send(messagePage("One moment", "The service is not ready yet.", request.originalUrl));
  }
});

app.get("/accounts/:id", async (request, response) => {
  const user = subjectOf(signedInUserId(request));
  const [account, posts] = await Promise.all([
    user.connection(request.params.id),
    user.content(request.params.id, shownDays()).page(),
  ]);
  response.send(postsPage(account, posts));
});

app.post("/accounts/:id/refresh", async (request, response) => {
  await refreshPosts(subjectOf(signedInUserId(request)), request.params.id);
  response.redirect(303, `/accounts/${encodeURIComponent(request.params.id)}`);
});

app.get("/accounts/:id/disconnect", (request, response) => {
  response.send(disconnectPage(request.params.id));
});
app.post("/accounts/:id/disconnect", async (request, response) => {
  const { result } = await subjectOf(signedInUserId(request)).disconnect(request.params.id);
  if (result.creatorAction === null) response.redirect(303, "/");
  else response.send(messagePage("Disconnected", REMOVE_APP));
});

/** Errors of the SDK contain no key, token or argument, so they can be logged. */
const onError: ErrorRequestHandler = (error, _request, response, next) => {
  if (!SocialConnectError.is(error)) return next(error);
  console.error(JSON.stringify(error));
  const isMissing = error.code === "NOT_FOUND";
  response.status(isMissing ? 404 : 502).send(messagePage("That did not work", errorText(error)));
};
app.use(onError);

// Without a sign-in, only this machine may reach it. In a container, set HOST to 0.0.0.0.
app.listen(Number(process.env["PORT"] ?? (port || 3000)), process.env["HOST"] ?? "localhost", (error) => {
  if (error) throw error;
  console.log(`The application runs at ${ownOrigin}`);
});
