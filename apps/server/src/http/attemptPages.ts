/** What the browser pages of Connect and of the identity handoff share: launch forms and callbacks. */
import type { Context } from "hono";
import type {
  AttemptKind,
  Callback,
  CallbackOutcome,
  LaunchOutcome,
  LaunchRequest,
} from "../modules/browser/launch.ts";
import type { Ended } from "../modules/connect/returnAddress.ts";
import { returnAddress } from "../modules/connect/returnAddress.ts";
import type { Service } from "../modules/service.ts";
import { bindBrowser, boundBrowserSecret } from "./browserBinding.ts";
import { recordCallback, recordLaunch } from "./browserSecurity.ts";
import type { FormEnv } from "./forms.ts";
import { formField } from "./forms.ts";
import type { ErrorPage } from "./pages.ts";
import { answer, PAGES } from "./pages.ts";
import { requestQuery } from "./requestQuery.ts";

interface LaunchForm {
  readonly kind: AttemptKind;
  readonly deadlineMs: number;
  readonly launch: (service: Service, request: LaunchRequest) => Promise<LaunchOutcome>;
}

/** Redirects the browser, bound to its attempt, or shows an error page. */
export async function answerLaunch(context: Context<FormEnv>, service: Service, form: LaunchForm) {
  const { kind, deadlineMs } = form;
  const launchToken = (await formField(context, "launchToken")) ?? "";
  const launched = await form.launch(service, { launchToken, origin: context.req.header("origin") ?? null });
  recordLaunch(context, service, kind, launched);
  switch (launched.outcome) {
    case "redirect":
      bindBrowser(context, new URL(service.connectHost), { ...launched, kind, maxAgeSeconds: deadlineMs / 1_000 });
      return context.redirect(launched.location.href, 303);
    case "origin-refused":
      return answer(context, launched.originMissing ? PAGES.missingOrigin : PAGES.foreignOrigin);
    default:
      return answer(context, OUTCOME_PAGES[launched.outcome]);
  }
}

const OUTCOME_PAGES = {
  "token-spent": PAGES.tokenSpent,
  expired: PAGES.expired,
  unavailable: PAGES.unavailable,
  "unknown-state": PAGES.unknownState,
  "state-used": PAGES.stateUsed,
  "foreign-browser": PAGES.foreignBrowser,
};

/** The callback of a provider or the issuer, with the cookies of its browser. */
export function callbackOf(context: Context, service: Service, kind: AttemptKind): Callback {
  const publicUrl = new URL(service.connectHost);
  const browserSecretOf = (attemptId: string) => boundBrowserSecret(context, publicUrl, kind, attemptId);
  return { query: requestQuery(context), browserSecretOf };
}

/** Redirects to the application, or shows an error page; when the URL is no longer registered, without a link back. */
export async function answerCallback(
  context: Context<FormEnv>,
  service: Service,
  kind: AttemptKind,
  callback: CallbackOutcome<Ended>,
) {
  recordCallback(context, service, kind, callback);
  if ("attempt" in callback) {
    const address = await returnAddress(service, kind, callback.attempt);
    if (callback.outcome === "expired") return answer(context, withReturn(PAGES.expired, address));
    if (callback.outcome === "malformed") return answer(context, withReturn(PAGES.providerError, address));
    return address === null ? answer(context, PAGES.returnUrlRemoved) : context.redirect(address, 303);
  }
  return answer(context, OUTCOME_PAGES[callback.outcome]);
}

function withReturn(page: ErrorPage, returnUrl: string | null): ErrorPage {
  return returnUrl === null ? page : { ...page, returnUrl };
}
