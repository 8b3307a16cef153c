import type { BrowserErrorPage } from "@social-connect/domain";
import { SIGN_IN_LIFETIME_MS } from "@social-connect/domain";
import { CSRF_HEADER, panelApi } from "../graphql/adminApi.ts";
import { answerGraphql } from "../graphql/graphqlApi.ts";
import { adminTransportProblem } from "../http/adminTransport.ts";
import { bindingCookie, boundSecret } from "../http/cookies.ts";
import type { Incoming, Outcome, Reply } from "../http/exchange.ts";
import { jsonReply, NOT_FOUND, reply, textReply } from "../http/exchange.ts";
import { sessionCookie, sessionTokenOf } from "../http/panelCookie.ts";
import {
  beginSignIn,
  completeSignIn,
  csrfToken,
  describeSession,
  endSession,
} from "../modules/admin-sessions/sessions.ts";
import { issuerAuthorizationUrl, panelCallback } from "../state/addresses.ts";
import { sha256Base64url } from "../util/hash.ts";
import type { World } from "../world/world.ts";
import { errorPage, redirect } from "./pages.ts";

const AGAIN = "Begin the sign-in again.";
const page = (status: BrowserErrorPage["status"], title: string, happened: string): BrowserErrorPage => ({
  status,
  title,
  happened,
  whatToDo: AGAIN,
});
const PAGES = {
  "wrong-way": page(403, "The panel cannot be reached this way", "The panel is served at its own address alone."),
  "not-an-admin": page(
    403,
    "This account does not administer this service",
    "Its verified address is not on the list.",
  ),
  denied: page(403, "You did not sign in", "The identity provider says that the sign-in was declined."),
  failed: page(502, "The sign-in did not work", "The identity provider's answer cannot be accepted."),
  "unknown-state": page(400, "This sign-in is over", "It was finished before, took too long, or was never begun."),
  "foreign-browser": page(403, "Please use the browser you started in", "This sign-in was started in another browser."),
};

/** The panel's side of the admin schema: sign-in, confirmation, session and documents. The mock serves no pages of it. */
export async function answerPanel(world: World, request: Incoming, path: string): Promise<Outcome | null> {
  const { settings } = world;
  const { method } = request;
  if (path === "/panel/graphql")
    return method === "POST" ? answerGraphql(world, panelApi, request) : textReply(404, NOT_FOUND);
  if (adminTransportProblem(settings, request)) return errorPage(PAGES["wrong-way"]);
  const token = sessionTokenOf(settings, request);
  switch (`${method} ${path}`) {
    case "GET /panel/sign-in":
      return goToIssuer(world, request, null);
    case "GET /panel/confirm":
      return goToIssuer(world, request, token);
    case "GET /panel/callback":
      return answerCallback(world, request);
    case "GET /panel/session": {
      const session = token === null ? null : describeSession(world, token);
      return jsonReply(session === null ? 401 : 200, session);
    }
    case "POST /panel/sign-out": {
      const isOwn = request.headers.get("origin") === new URL(settings.adminHost).origin;
      if (!isOwn || token === null || request.headers.get(CSRF_HEADER) !== csrfToken(token)) return reply(403);
      endSession(world, token);
      return { status: 204, headers: [sessionCookie(settings, null)], body: null };
    }
    default:
      return null;
  }
}

function goToIssuer(world: World, request: Incoming, sessionToken: string | null): Reply {
  const { settings } = world;
  const { id, state, browserSecret } = beginSignIn(world, sessionToken, panelPath(request, settings.adminHost));
  const location = issuerAuthorizationUrl(settings, {
    state,
    nonce: world.newSecret(),
    codeChallenge: sha256Base64url(world.newSecret()),
    redirectUri: panelCallback(settings),
  });
  const binding = { kind: "panel", attemptId: id, browserSecret, maxAgeSeconds: SIGN_IN_LIFETIME_MS / 1_000 } as const;
  return redirect(location, [bindingCookie({ connectHost: settings.adminHost }, binding)]);
}

function answerCallback(world: World, request: Incoming): Reply {
  const { settings } = world;
  const completed = completeSignIn(world, request.url.searchParams, (signInId) =>
    boundSecret({ connectHost: settings.adminHost }, request, "panel", signInId),
  );
  if (completed.outcome !== "signed-in") return errorPage(PAGES[completed.outcome]);
  return redirect(settings.adminHost + completed.returnPath, [sessionCookie(settings, completed.token)]);
}

/** A page of the panel and nothing else: where a sign-in ends must not be for a stranger to choose. */
function panelPath({ url }: Incoming, adminHost: string): string {
  const wanted = url.searchParams.get("returnTo") ?? "/panel";
  if (!URL.canParse(wanted, adminHost)) return "/panel";
  const { origin, pathname, search } = new URL(wanted, adminHost);
  return origin === new URL(adminHost).origin && /^\/panel(?:\/|$)/.test(pathname) ? pathname + search : "/panel";
}
