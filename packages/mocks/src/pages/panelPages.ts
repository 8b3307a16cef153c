import { type BrowserErrorPage, parseUrl, SIGN_IN_LIFETIME_MS } from "@social-connect/domain";
import { CSRF_HEADER } from "@social-connect/transport";
import { panelApi } from "../graphql/adminApi.ts";
import { answerGraphql } from "../graphql/graphqlApi.ts";
import { arrivalProblem } from "../http/adminTransport.ts";
import { bindingCookie, boundSecret, sessionCookie, sessionTokenOf } from "../http/cookies.ts";
import { type Incoming, jsonReply, type Outcome, type Reply, reply } from "../http/exchange.ts";
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

export const PANEL_API_PATH = "/panel/graphql";

const AGAIN = "Start the sign-in again.";
const page = (status: BrowserErrorPage["status"], title: string, happened: string): BrowserErrorPage => ({
  status,
  title,
  happened,
  whatToDo: AGAIN,
});
const PAGES = {
  "wrong-way": page(403, "The panel is not available here", "The panel is served at its own address only."),
  "not-an-admin": page(403, "This account is not an admin", "Its verified email is not on the list of admins."),
  denied: page(403, "You did not sign in", "You declined the sign-in at the identity provider."),
  failed: page(502, "Sign-in failed", "The response of the identity provider is not valid."),
  "unknown-state": page(400, "This sign-in has ended", "It was completed before, has expired, or was never started."),
  "foreign-browser": page(403, "Use the browser you started in", "This sign-in was started in another browser."),
};

/** The panel's endpoints: sign-in, confirmation, session and GraphQL. The mock does not serve the panel itself. */
export async function answerPanel(world: World, request: Incoming, path: string): Promise<Outcome | null> {
  const { settings } = world;
  const { method } = request;
  if (path === PANEL_API_PATH) return answerGraphql(world, panelApi, request);
  if (arrivalProblem(settings, request) !== null) return errorPage(PAGES["wrong-way"]);
  const token = sessionTokenOf(settings, request);
  switch (`${method} ${path}`) {
    case "GET /panel/sign-in":
      return redirectToIssuer(world, request, null);
    case "GET /panel/confirm":
      return redirectToIssuer(world, request, token);
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

function redirectToIssuer(world: World, request: Incoming, sessionToken: string | null): Reply {
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
  if (completed.outcome !== "signed-in") {
    return errorPage({ ...PAGES[completed.outcome], returnUrl: `${settings.adminHost}/panel/sign-in` });
  }
  return redirect(settings.adminHost + completed.returnPath, [sessionCookie(settings, completed.token)]);
}

/** Only a path of the panel, so that a link cannot redirect a signed-in admin elsewhere. */
function panelPath({ url }: Incoming, adminHost: string): string {
  const requested = url.searchParams.get("returnTo") ?? "/panel";
  const target = parseUrl(requested, adminHost);
  const isOwn = target?.origin === new URL(adminHost).origin && /^\/panel(?:\/|$)/.test(target.pathname);
  return isOwn ? target.pathname + target.search : "/panel";
}
