import { LAUNCH_TOKEN_FIELD, LIMITS } from "@social-connect/contract";
import {
  asUuid,
  BROWSER_ERROR_PAGES,
  isUnfinished,
  mayReturnFromIdentityTo,
  mayReturnTo,
  providerOfSlug,
  returnUrlWithResult,
  shownOrigin,
} from "@social-connect/domain";
import { bindingCookie, boundSecret } from "../http/cookies.ts";
import { formField, type Incoming, type Reply, readForm } from "../http/exchange.ts";
import { type ConnectOutcome, completeConnect } from "../modules/connect/completeConnect.ts";
import { launch, leavePane, redeemLaunchToken } from "../modules/connect/connectSessions.ts";
import { completeIdentity, type IdentityOutcome, launchIdentity } from "../modules/identity/identitySessions.ts";
import type { ConnectAttempt, IdentityAttempt } from "../state/state.ts";
import { sha256Hex } from "../util/hash.ts";
import { runInTime } from "../world/schedule.ts";
import type { World } from "../world/world.ts";
import { errorPage, formPage, html, redirect } from "./pages.ts";

/** Pages of the outcomes that cannot return to the application. */
const PAGES = {
  "token-spent": BROWSER_ERROR_PAGES.tokenSpent,
  expired: BROWSER_ERROR_PAGES.expired,
  unavailable: BROWSER_ERROR_PAGES.unavailable,
  "unknown-state": BROWSER_ERROR_PAGES.unknownState,
  "foreign-browser": BROWSER_ERROR_PAGES.foreignBrowser,
  "state-used": BROWSER_ERROR_PAGES.stateUsed,
};

/** The consent pane of the service. */
export const PANE_PATH = "/api/connect/consent";

type Kind = "connect" | "identity";

/** `POST /api/connect/redeem` and `POST /api/identity/redeem`: the target of the launch form. */
export async function answerLaunch(world: World, request: Incoming, kind: Kind): Promise<Reply> {
  const launchToken = (await formField(request, LAUNCH_TOKEN_FIELD)) ?? "";
  const launch = { launchToken, origin: request.headers.get("origin") };
  const launched = kind === "connect" ? redeemLaunchToken(world, launch) : launchIdentity(world, launch);
  if (launched.outcome === "origin-refused") return refusedOrigin(launch.origin);
  if (launched.outcome !== "redirect") return errorPage(PAGES[launched.outcome]);
  const lifetimeMs = kind === "connect" ? LIMITS.connectDeadlineMs : LIMITS.identityDeadlineMs;
  const { attemptId, browserSecret } = launched;
  const binding = { kind, attemptId, browserSecret, maxAgeSeconds: lifetimeMs / 1_000 };
  return redirect(launched.location, [bindingCookie(world.settings, binding)]);
}

/**
 * `GET` and `POST /api/connect/consent`: the pane that continues or cancels an attempt, in the browser that launched it. Unlike
 * the service, the mocks do not show it before the launch.
 */
export async function answerPane(world: World, request: Incoming): Promise<Reply> {
  const isPress = request.method === "POST";
  const fields = isPress ? await readForm(request) : request.url.searchParams;
  const attempt = world.state.connectAttempts.get(asUuid(fields?.get("attempt") ?? "") ?? "");
  const application = world.state.applications.get(attempt?.applicationId ?? "");
  const secret = attempt && boundSecret(world.settings, request, "connect", attempt.id);
  if (!attempt || !application || !secret || attempt.browserHash !== sha256Hex(secret))
    return errorPage(PAGES["foreign-browser"]);
  const origin = request.headers.get("origin");
  if (isPress && origin !== new URL(world.settings.connectHost).origin) return refusedOrigin(origin);
  if (fields?.has("leave")) {
    const outcome = leavePane(world, attempt);
    return outcome === "left"
      ? callbackReply(world, "connect", { outcome: "ended", attempt })
      : closedPane(world, attempt, outcome);
  }
  const launched = launch(world, attempt, application, secret, fields?.has("otherAccount"));
  if (launched.outcome === "origin-refused") return refusedOrigin(origin);
  if (launched.outcome !== "redirect") return closedPane(world, attempt, launched.outcome);
  if (isPress) return redirect(launched.location);
  const action = `${world.settings.connectHost}${PANE_PATH}`;
  const content = html`<p>The service's own page names your application here, and lists what is read.</p>
<form method="post" action="${action}"><input type="hidden" name="attempt" value="${attempt.id}">
<button>Continue</button><button name="otherAccount" value="true">Use another account</button><button name="leave" value="true">Back to the application</button></form>`;
  return formPage("Continue or cancel", content, application.webOrigins);
}

/** Links to the result of an attempt that has ended. */
function closedPane(world: World, attempt: ConnectAttempt, outcome: "token-spent" | "expired" | "unavailable"): Reply {
  const returnUrl = isUnfinished(attempt.status) ? null : returnAddress(world, "connect", attempt);
  return errorPage(returnUrl === null ? PAGES[outcome] : { ...PAGES[outcome], returnUrl });
}

function refusedOrigin(origin: string | null): Reply {
  const { missingOrigin, foreignOrigin } = BROWSER_ERROR_PAGES;
  const happened = foreignOrigin.happened.replace("{origin}", () => shownOrigin(origin));
  return errorPage(origin === null || origin === "null" ? missingOrigin : { ...foreignOrigin, happened });
}

/** `GET /api/connect/callback/{provider}`: the provider's redirect. */
export async function answerConnectCallback(world: World, request: Incoming, slug: string): Promise<Reply> {
  const provider = providerOfSlug(slug);
  if (provider === null) return errorPage(BROWSER_ERROR_PAGES.notFound);
  const query = request.url.searchParams;
  const browserSecretOf = (attemptId: string) => boundSecret(world.settings, request, "connect", attemptId);
  const work = completeConnect(world, { provider, query, browserSecretOf });
  return callbackReply(world, "connect", await runInTime(world, work));
}

/** `GET /api/identity/callback`: the identity provider's redirect. */
export function answerIdentityCallback(world: World, request: Incoming): Reply {
  const query = request.url.searchParams;
  const browserSecretOf = (attemptId: string) => boundSecret(world.settings, request, "identity", attemptId);
  return callbackReply(world, "identity", completeIdentity(world, { query, browserSecretOf }));
}

function callbackReply(world: World, kind: Kind, completed: ConnectOutcome | IdentityOutcome): Reply {
  if (!("attempt" in completed)) return errorPage(PAGES[completed.outcome]);
  const returnUrl = returnAddress(world, kind, completed.attempt);
  if (completed.outcome === "ended") {
    return returnUrl === null ? errorPage(BROWSER_ERROR_PAGES.returnUrlRemoved) : redirect(returnUrl);
  }
  const page = completed.outcome === "malformed" ? BROWSER_ERROR_PAGES.providerError : PAGES.expired;
  return errorPage(returnUrl === null ? page : { ...page, returnUrl });
}

/**
 * The attempt's return URL; null when the application no longer allows it. The contract does not define the two query
 * parameters, so strict mode omits them.
 */
function returnAddress(
  { settings, state }: World,
  kind: Kind,
  attempt: ConnectAttempt | IdentityAttempt,
): string | null {
  const { applicationId, returnUrl } = attempt;
  const application = state.applications.get(applicationId);
  if (application === undefined) return null;
  const isAllowed =
    kind === "connect"
      ? mayReturnTo(returnUrl, application, settings.previewOriginTemplate)
      : mayReturnFromIdentityTo(returnUrl, application);
  if (!isAllowed) return null;
  return settings.strict ? returnUrl : returnUrlWithResult(returnUrl, attempt);
}
