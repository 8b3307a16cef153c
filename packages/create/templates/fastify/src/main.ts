import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { SocialProvider } from "@social-connect/sdk";
import { launchPage, SocialConnectError, TimeoutError } from "@social-connect/sdk";
import type { FastifyReply, FastifyRequest } from "fastify";
import Fastify from "fastify";
import { handleEvent } from "./events.ts";
import { disconnectPage, homePage, messagePage, PAGE_HEADERS, postsPage } from "./pages.ts";
import { availableProviders, ownOrigin, refreshPosts, returnUrl, shownDays, subjectOf } from "./social.ts";
import { errorText, REMOVE_APP, resultText } from "./texts.ts";

/**
 * PLACEHOLDER for your sign-in: return the id of the signed-in user from the session of the request. Never take it from
 * a parameter, a form or a header that the browser sets.
 */
function signedInUserId(_request: FastifyRequest): string {
  return "user-1";
}

const { port, pathname: returnPath, protocol } = new URL(returnUrl);
/** Remembers the attempt that this browser started. `lax`: the browser sends it when the user returns. */
const ATTEMPT = "attempt";
const COOKIE = { httpOnly: true, sameSite: "lax", secure: protocol === "https:", path: "/" } as const;

const app = Fastify();
await app.register(cookie);
await app.register(formbody);

const html = (reply: FastifyReply, page: string) => reply.type("text/html; charset=utf-8").send(page);

app.addHook("onRequest", async (_request, reply) => void reply.headers(PAGE_HEADERS));
// #region events
// In a plugin, because its parser keeps the raw body, which is signed.
await app.register(async (events) => {
  events.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  events.post("/events", async ({ headers, body }, reply) =>
    reply.code(await handleEvent({ headers, body: body as Buffer })).send(),
  );
});
// #endregion events
// Only this application's own pages may post its forms. A signature authenticates events.
app.addHook("onRequest", async (request, reply) => {
  if (request.method !== "POST" || request.url === "/events" || request.headers.origin === ownOrigin) return;
  return html(
    reply.code(403),
    messagePage("Open another address", `This application runs at ${ownOrigin}.`, ownOrigin),
  );
});

app.get("/", async (request, reply) => {
  const user = subjectOf(signedInUserId(request));
  const [accounts, providers] = await Promise.all([user.connections().toArray({ limit: 100 }), availableProviders()]);
  return html(reply, homePage(accounts, providers));
});

// #region connect
app.post<{ Body: { provider: SocialProvider; reconnectConnectionId?: string } }>("/connect", async (request, reply) => {
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
  return reply.setCookie(ATTEMPT, attempt.id, COOKIE).headers(page.headers).send(page.html);
});
// #endregion connect

app.get<{ Querystring: { ss_session_id?: string } }>(returnPath, async (request, reply) => {
  // Anyone can open this URL, so the id must equal that of the attempt which this browser started.
  const attemptId = request.cookies[ATTEMPT];
  if (attemptId === undefined || request.query.ss_session_id !== attemptId) {
    return html(reply.code(404), messagePage("Nothing to finish", "You did not start this here."));
  }
  const user = subjectOf(signedInUserId(request));
  try {
    const result = await user.connectResult(attemptId).wait({ deadline: new Date(Date.now() + 5_000) });
    if (result.status === "COMPLETED") return reply.redirect(`/accounts/${result.connectionId}`, 303);
    return html(reply, messagePage("Nothing was linked", resultText(result)));
  } catch (error) {
    if (!TimeoutError.is(error)) throw error;
    return html(reply, messagePage("One moment", "The service is not ready yet.", request.url));
  }
});

app.get<{ Params: { id: string } }>("/accounts/:id", async (request, reply) => {
  const user = subjectOf(signedInUserId(request));
  const { id } = request.params;
  const [account, posts] = await Promise.all([user.connection(id), user.content(id, shownDays()).page()]);
  return html(reply, postsPage(account, posts));
});

app.post<{ Params: { id: string } }>("/accounts/:id/refresh", async (request, reply) => {
  await refreshPosts(subjectOf(signedInUserId(request)), request.params.id);
  return reply.redirect(`/accounts/${encodeURIComponent(request.params.id)}`, 303);
});

app.get<{ Params: { id: string } }>("/accounts/:id/disconnect", async (request, reply) =>
  html(reply, disconnectPage(request.params.id)),
);
app.post<{ Params: { id: string } }>("/accounts/:id/disconnect", async (request, reply) => {
  const { result } = await subjectOf(signedInUserId(request)).disconnect(request.params.id);
  if (result.creatorAction === null) return reply.redirect("/", 303);
  return html(reply, messagePage("Disconnected", REMOVE_APP));
});

/** Errors of the SDK contain no key, token or argument, so they can be logged. */
app.setErrorHandler((error, _request, reply) => {
  if (!SocialConnectError.is(error)) throw error;
  console.error(JSON.stringify(error));
  return html(reply.code(error.code === "NOT_FOUND" ? 404 : 502), messagePage("That did not work", errorText(error)));
});

// Without a sign-in, only this machine may reach it. In a container, set HOST to 0.0.0.0.
await app.listen({ host: process.env["HOST"] ?? "localhost", port: Number(process.env["PORT"] ?? (port || 3000)) });
console.log(`The application runs at ${ownOrigin}`);
