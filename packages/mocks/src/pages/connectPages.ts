import { LAUNCH_TOKEN_FIELD, LIMITS } from "@social-connect/contract";
import type { BrowserErrorPage } from "@social-connect/domain";
import {
  BROWSER_ERROR_PAGES,
  mayReturnFromIdentityTo,
  mayReturnTo,
  providerOfSlug,
  returnUrlWithResult,
} from "@social-connect/domain";
import { bindingCookie, boundSecret } from "../http/cookies.ts";
import type { Incoming, Reply } from "../http/exchange.ts";
import { formField } from "../http/exchange.ts";
import type { LaunchOutcome } from "../modules/browser/attempts.ts";
import type { ConnectOutcome } from "../modules/connect/completeConnect.ts";
import { completeConnect } from "../modules/connect/completeConnect.ts";
import { redeemLaunchToken } from "../modules/connect/redeemLaunchToken.ts";
import { completeIdentity } from "../modules/identity/completeIdentity.ts";
import { launchIdentity } from "../modules/identity/launchIdentity.ts";
import { runInTime } from "../world/timedWork.ts";
import type { World } from "../world/world.ts";
import { errorPage, redirect } from "./pages.ts";

/** `POST /api/connect/redeem` and `POST /api/identity/redeem`: the target of the launch form. */
export async function answerLaunch(world: World, request: Incoming, kind: "connect" | "identity"): Promise<Reply> {
  const launchToken = (await formField(request, LAUNCH_TOKEN_FIELD)) ?? "";
  const launch = { launchToken, origin: request.headers.get("origin") };
  const launched = kind === "connect" ? redeemLaunchToken(world, launch) : launchIdentity(world, launch);
  return launchReply(world, launched, kind);
}

function launchReply(world: World, launched: LaunchOutcome, kind: "connect" | "identity"): Reply {
  const pages = BROWSER_ERROR_PAGES;
  switch (launched.outcome) {
    case "redirect": {
      const lifetimeMs = kind === "connect" ? LIMITS.connectDeadlineMs : LIMITS.identityDeadlineMs;
      const { attemptId, browserSecret } = launched;
      const binding = { kind, attemptId, browserSecret, maxAgeSeconds: lifetimeMs / 1_000 };
      return redirect(launched.location, [bindingCookie(world.settings, binding)]);
    }
    case "origin-refused":
      return errorPage(launched.originMissing ? pages.missingOrigin : pages.foreignOrigin);
    case "token-spent":
      return errorPage(pages.tokenSpent);
    case "expired":
      return errorPage(pages.expired);
    case "unavailable":
      return errorPage(pages.unavailable);
  }
}

/** `GET /api/connect/callback/{provider}`: the provider's redirect. */
export async function answerConnectCallback(world: World, request: Incoming, slug: string): Promise<Reply> {
  const provider = providerOfSlug(slug);
  if (provider === null) return errorPage(BROWSER_ERROR_PAGES.notFound);
  const outcome = await runInTime(
    world,
    completeConnect(world, {
      provider,
      query: request.url.searchParams,
      browserSecretOf: (attemptId) => boundSecret(world.settings, request, "connect", attemptId),
    }),
  );
  return callbackReply(world, outcome);
}

function callbackReply(world: World, outcome: ConnectOutcome): Reply {
  const pages = BROWSER_ERROR_PAGES;
  switch (outcome.received) {
    case "ended":
      return redirectBack(returnAddress(world, "connect", outcome.attempt));
    case "expired":
      return errorPage(withReturn(pages.expired, returnAddress(world, "connect", outcome.attempt)));
    case "malformed":
      return errorPage(withReturn(pages.providerError, returnAddress(world, "connect", outcome.attempt)));
    case "unknown-state":
      return errorPage(pages.unknownState);
    case "foreign-browser":
      return errorPage(pages.foreignBrowser);
    case "state-used":
      return errorPage(pages.stateUsed);
  }
}

/** `GET /api/identity/callback`: the identity provider's redirect. */
export function answerIdentityCallback(world: World, request: Incoming): Reply {
  const pages = BROWSER_ERROR_PAGES;
  const completed = completeIdentity(world, {
    query: request.url.searchParams,
    browserSecretOf: (attemptId) => boundSecret(world.settings, request, "identity", attemptId),
  });
  switch (completed.outcome) {
    case "ended":
      return redirectBack(returnAddress(world, "identity", completed.attempt));
    case "expired":
      return errorPage(withReturn(pages.expired, returnAddress(world, "identity", completed.attempt)));
    case "unknown-state":
      return errorPage(pages.unknownState);
    case "foreign-browser":
      return errorPage(pages.foreignBrowser);
    case "state-used":
      return errorPage(pages.stateUsed);
  }
}

interface Ended {
  readonly id: string;
  readonly applicationId: string;
  readonly returnUrl: string;
  readonly status: string;
}

/**
 * The attempt's return URL; null when the application no longer allows it. The contract does not define the two query
 * parameters, so strict mode omits them.
 */
function returnAddress(
  { settings, state }: World,
  kind: "connect" | "identity",
  { id, applicationId, returnUrl, status }: Ended,
): string | null {
  const application = state.applications.get(applicationId);
  if (application === undefined) return null;
  const isAllowed =
    kind === "connect"
      ? mayReturnTo(returnUrl, application, settings.previewOriginTemplate)
      : mayReturnFromIdentityTo(returnUrl, application);
  if (!isAllowed) return null;
  return settings.strict ? returnUrl : returnUrlWithResult(returnUrl, id, status);
}

function redirectBack(address: string | null): Reply {
  return address === null ? errorPage(BROWSER_ERROR_PAGES.returnUrlRemoved) : redirect(address);
}

function withReturn(page: BrowserErrorPage, returnUrl: string | null): BrowserErrorPage {
  return returnUrl === null ? page : { ...page, returnUrl };
}
