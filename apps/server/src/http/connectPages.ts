import { LIMITS } from "@social-connect/contract";
import { providerOfSlug } from "@social-connect/domain";
import type { Context } from "hono";
import { Hono } from "hono";
import type { LaunchOutcome } from "../modules/browser/launch.ts";
import { completeConnect } from "../modules/connect/completeConnect.ts";
import { redeemLaunchToken } from "../modules/connect/redeemLaunchToken.ts";
import { returnAddress } from "../modules/connect/returnAddress.ts";
import { receiveDeauthorization } from "../modules/disconnect/receiveDeauthorization.ts";
import type { Service } from "../modules/service.ts";
import { securityLog } from "../platform/securityLog.ts";
import { bindBrowser, boundBrowserSecret } from "./browserBinding.ts";
import { callerOf, recordCallback, recordLaunch } from "./browserSecurity.ts";
import type { FormEnv } from "./forms.ts";
import { formField } from "./forms.ts";
import type { ErrorPage } from "./pages.ts";
import { PAGES, renderErrorPage } from "./pages.ts";
import { requestQuery } from "./requestQuery.ts";

/** The browser pages of Connect: the target of the launch form and each provider's redirect URI. */
export function connectPages(service: Service): Hono<FormEnv> {
  const pages = new Hono<FormEnv>();
  const publicUrl = new URL(service.connectHost);

  pages.post("/api/connect/redeem", async (context) => {
    const launchToken = (await formField(context, "launchToken")) ?? "";
    const launched = await redeemLaunchToken(service, { launchToken, origin: context.req.header("origin") ?? null });
    recordLaunch(context, service, "connect", launched);
    return answerLaunch(context, publicUrl, launched, {
      kind: "connect",
      maxAgeSeconds: LIMITS.connectDeadlineMs / 1_000,
    });
  });

  pages.get("/api/connect/callback/:provider", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    if (provider === null) return answer(context, PAGES.notFound);
    const completed = await completeConnect(service, {
      provider,
      query: requestQuery(context),
      browserSecretOf: (attemptId) => boundBrowserSecret(context, publicUrl, "connect", attemptId),
    });
    switch (completed.received) {
      case "ended":
        return goBack(context, await returnAddress(service, "connect", completed.attempt));
      case "expired":
        return answer(context, withReturn(PAGES.expired, await returnAddress(service, "connect", completed.attempt)));
      case "malformed":
        recordCallback(context, service, "connect", { outcome: "malformed", attemptId: completed.attempt.id });
        return answer(
          context,
          withReturn(PAGES.providerError, await returnAddress(service, "connect", completed.attempt)),
        );
      case "unknown-state":
        recordCallback(context, service, "connect", { outcome: "unknown-state" });
        return answer(context, PAGES.unknownState);
      case "foreign-browser":
      case "state-used":
        recordCallback(context, service, "connect", { outcome: completed.received, attemptId: completed.attemptId });
        return answer(context, completed.received === "state-used" ? PAGES.stateUsed : PAGES.foreignBrowser);
    }
  });

  pages.post("/api/connect/deauthorize/:provider", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    const signedRequest = await formField(context, "signed_request");
    const accepted =
      provider !== null && signedRequest !== null && (await receiveDeauthorization(service, provider, signedRequest));
    if (accepted) return context.body(null, 204);
    const { address, network } = callerOf(context, service);
    securityLog(service).record("deauthorization.refused", { provider, address }, network);
    return context.body(null, 400);
  });

  return pages;
}

/** Redirects to the application, or to a page of the service when the URL is no longer registered. */
export function goBack(context: Context, address: string | null) {
  return address === null ? answer(context, PAGES.returnUrlRemoved) : context.redirect(address, 303);
}

export function withReturn(page: ErrorPage, returnUrl: string | null): ErrorPage {
  return returnUrl === null ? page : { ...page, returnUrl };
}

/** Redirects the browser, bound to its attempt, or shows an error page. */
export function answerLaunch(
  context: Context,
  publicUrl: URL,
  launched: LaunchOutcome,
  binding: { readonly kind: "connect" | "identity"; readonly maxAgeSeconds: number },
) {
  switch (launched.outcome) {
    case "redirect":
      bindBrowser(context, publicUrl, { ...launched, ...binding });
      return context.redirect(launched.location.href, 303);
    case "origin-refused":
      return answer(context, launched.originMissing ? PAGES.missingOrigin : PAGES.foreignOrigin);
    case "token-spent":
      return answer(context, PAGES.tokenSpent);
    case "expired":
      return answer(context, PAGES.expired);
    case "unavailable":
      return answer(context, PAGES.unavailable);
  }
}

export function answer(context: Context, page: ErrorPage) {
  return context.html(renderErrorPage(page), page.status);
}
