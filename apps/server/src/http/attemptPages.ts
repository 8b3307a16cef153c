/** What the browser pages of Connect and of the identity handoff share: launch forms and callbacks. */
import { CONSENT_PANE_FIELD, LAUNCH_TOKEN_FIELD, LIMITS, UI_LOCALES_FIELD } from "@social-connect/contract";
import { type ErrorName, providerOfSlug, shownOrigin } from "@social-connect/domain";
import { type Context, Hono } from "hono";
import { newPaneCookie, paneAccess } from "../modules/browser/consentPane.ts";
import type {
  AttemptKind,
  AttemptOfPage,
  Callback,
  CallbackOutcome,
  LaunchOutcome,
  LaunchRequest,
} from "../modules/browser/launch.ts";
import { readPageBrand } from "../modules/browser/readPageBrand.ts";
import { completeConnect } from "../modules/connect/completeConnect.ts";
import { redeemLaunchToken } from "../modules/connect/redeemLaunchToken.ts";
import { addressOfEnded, type Ended, returnAddress } from "../modules/connect/returnAddress.ts";
import { completeIdentity } from "../modules/identity/completeIdentity.ts";
import { identityRedirectUri, launchIdentity } from "../modules/identity/launchIdentity.ts";
import type { Service } from "../modules/service.ts";
import { asUuid } from "../platform/uuid.ts";
import { bindBrowser, boundBrowserSecret } from "./browserBinding.ts";
import { recordCallback, recordForeignPane, recordLaunch } from "./browserSecurity.ts";
import { type FormEnv, fieldOf, readForm } from "./forms.ts";
import type { Locale } from "./languages/locale.ts";
import { answerConsentPane } from "./pages/consentPane.ts";
import { answerError } from "./pages/errorPage.ts";
import { localeOfLaunch, localeOfRequest } from "./pages/localeOf.ts";
import { answerNotFound } from "./pages/notFound.ts";
import { getPostedCallback } from "./postedCallback.ts";
import { requestQuery } from "./requestQuery.ts";

interface LaunchForm {
  readonly kind: AttemptKind;
  readonly deadlineMs: number;
  readonly launch: (service: Service, request: LaunchRequest) => Promise<LaunchOutcome>;
}

const PANE_PATH = "/api/connect/consent";
/** The attempt in the URL and the form of the pane; its id is public. */
const ATTEMPT_FIELD = "attempt";
/** The button of the pane that leads back to the application. */
const LEAVE_FIELD = "leave";
/** The button of the pane that asks the provider for another account. */
const OTHER_ACCOUNT_FIELD = "otherAccount";

/** Redirects the browser, bound to its attempt, or shows the consent pane or an error page. */
export async function answerLaunch(context: Context<FormEnv>, service: Service, form: LaunchForm) {
  const fields = await readForm(context);
  const publicUrl = new URL(service.connectHost);
  const maxAgeSeconds = form.deadlineMs / 1_000;
  const locale = localeOfLaunch(context, publicUrl, fieldOf(fields, UI_LOCALES_FIELD), maxAgeSeconds);
  const isPaneRequested = fields.has(CONSENT_PANE_FIELD);
  const isMalformed = isPaneRequested && (form.kind !== "connect" || fieldOf(fields, CONSENT_PANE_FIELD) !== "true");
  if (isMalformed) return showError(context, service, { name: "malformedForm", locale });
  const launchToken = fieldOf(fields, LAUNCH_TOKEN_FIELD) ?? "";
  const origin = context.req.header("origin") ?? null;
  const request = { launchToken, origin, step: isPaneRequested ? "REQUEST_PANE" : "REDIRECT" } as const;
  return launchAndAnswer(context, service, { form, request, locale });
}

/** The consent pane, or one of its buttons: they work only in the browser that launched the attempt. */
export async function answerPane(
  context: Context<FormEnv>,
  service: Service,
  { step, ...form }: LaunchForm & { readonly step: "SHOW_PANE" | "ACCEPT_PANE" },
) {
  const publicUrl = new URL(service.connectHost);
  const fields = step === "SHOW_PANE" ? requestQuery(context) : await readForm(context);
  const attemptId = asUuid(fieldOf(fields, ATTEMPT_FIELD) ?? "");
  const pressed = step === "ACCEPT_PANE" && fields.has(LEAVE_FIELD) ? "LEAVE_PANE" : step;
  const cookiesOf = (id: string) => (kind: "pane" | "connect") => boundBrowserSecret(context, publicUrl, kind, id);
  const known = attemptId === null ? null : await paneAccess(service, attemptId, cookiesOf(attemptId));
  const locale = localeOfRequest(context, publicUrl);
  if (known === null) {
    recordForeignPane(context, service, attemptId);
    return showError(context, service, { name: "foreignBrowser", locale });
  }
  const origin = context.req.header("origin") ?? null;
  return launchAndAnswer(context, service, {
    form,
    request: { ...known, origin, step: pressed, isOtherAccount: fields.has(OTHER_ACCOUNT_FIELD) },
    locale,
  });
}

async function launchAndAnswer(
  context: Context<FormEnv>,
  service: Service,
  { form, request, locale }: { readonly form: LaunchForm; readonly request: LaunchRequest; readonly locale: Locale },
) {
  const { kind, deadlineMs } = form;
  const publicUrl = new URL(service.connectHost);
  const maxAgeSeconds = deadlineMs / 1_000;
  const launched = await form.launch(service, request);
  recordLaunch(context, service, kind, launched);
  if (launched.outcome === "redirect") {
    const { attemptId, browserSecret } = launched;
    bindBrowser(context, publicUrl, { kind, attemptId, browserSecret, maxAgeSeconds });
    return context.redirect(launched.location.href, 303);
  }
  if (launched.outcome === "left") {
    const { attemptId: id, applicationId, returnUrl } = launched;
    const address = await returnAddress(service, kind, { id, applicationId, returnUrl, status: "CANCELED" });
    if (address !== null) return context.redirect(address, 303);
    return showError(context, service, { name: "returnUrlRemoved", locale, kind, attempt: launched });
  }
  if (launched.outcome === "token-unknown") return showError(context, service, { name: "tokenSpent", locale });
  const brand = await readPageBrand(service, kind, launched);
  if (launched.outcome === "pane" && brand !== null) {
    const { attemptId, pane } = launched;
    const path = service.connectHost + PANE_PATH;
    if (request.step === "SHOW_PANE") {
      const action = {
        path,
        field: ATTEMPT_FIELD,
        attemptId,
        leaveField: LEAVE_FIELD,
        otherField: OTHER_ACCOUNT_FIELD,
      };
      return answerConsentPane(context, { locale, serviceHost: publicUrl.host, brand, pane, action });
    }
    const browserSecret = newPaneCookie(service, attemptId, request.launchToken);
    bindBrowser(context, publicUrl, { kind: "pane", attemptId, browserSecret, maxAgeSeconds });
    // A page with its own URL, so that Back does not ask to send the form again.
    return context.redirect(`${path}?${ATTEMPT_FIELD}=${attemptId}`, 303);
  }
  const values = { origin: shownOrigin(request.origin) };
  // Only the browser that launched the attempt has its secrets: the application then shows the result.
  const returnUrl = request.secrets === undefined ? null : await addressOfEnded(service, launched);
  const page = { locale, serviceHost: publicUrl.host, brand, values, returnUrl };
  return answerError(context, errorOfLaunch(launched), page);
}

function errorOfLaunch(launched: LaunchOutcome): ErrorName {
  switch (launched.outcome) {
    case "origin-refused":
      return launched.originMissing ? "missingOrigin" : "foreignOrigin";
    case "expired":
    case "unavailable":
      return launched.outcome;
    case "token-spent":
      return "tokenSpent";
    default:
      // The application was deleted after its pane was prepared.
      return "unavailable";
  }
}

const CALLBACK_ERRORS = {
  "unknown-state": "unknownState",
  "state-used": "stateUsed",
  "foreign-browser": "foreignBrowser",
} as const satisfies Record<string, ErrorName>;

/** The callback of a provider or the issuer, with the cookies of its browser. */
export function callbackOf(context: Context, service: Service, kind: AttemptKind): Callback {
  const publicUrl = new URL(service.connectHost);
  const browserSecretOf = (attemptId: string) => boundBrowserSecret(context, publicUrl, kind, attemptId);
  return { query: requestQuery(context), browserSecretOf };
}

/** Redirects to the application, or shows an error page; when the URL is no longer registered, without a link to it. */
export async function answerCallback(
  context: Context<FormEnv>,
  service: Service,
  kind: AttemptKind,
  callback: CallbackOutcome<Ended>,
) {
  recordCallback(context, service, kind, callback);
  const locale = localeOfRequest(context, new URL(service.connectHost));
  if ("attempt" in callback) {
    const { outcome, attempt } = callback;
    const returnUrl = await returnAddress(service, kind, attempt);
    if (outcome === "ended" && returnUrl !== null) return context.redirect(returnUrl, 303);
    return showError(context, service, { name: errorOfCallback(callback), locale, kind, attempt, returnUrl });
  }
  const name = CALLBACK_ERRORS[callback.outcome];
  if (callback.outcome === "unknown-state") return showError(context, service, { name, locale });
  return showError(context, service, { name, locale, kind, attempt: callback });
}

function errorOfCallback({ outcome, attempt }: Extract<CallbackOutcome<Ended>, { attempt: Ended }>): ErrorName {
  if (outcome === "ended")
    return attempt.resultCode === "PROVIDER_UNAVAILABLE" ? "providerUnavailable" : "returnUrlRemoved";
  return outcome === "expired" ? "expired" : "providerError";
}

/** An error page with the branding of the attempt's application, if there is one. */
async function showError(
  context: Context,
  service: Service,
  error: { readonly name: ErrorName; readonly locale: Locale; readonly returnUrl?: string | null } & (
    | { readonly kind: AttemptKind; readonly attempt: Pick<AttemptOfPage, "applicationId" | "returnUrl"> }
    | { readonly attempt?: never }
  ),
): Promise<Response> {
  const { name, locale, returnUrl = null } = error;
  const brand = error.attempt === undefined ? null : await readPageBrand(service, error.kind, error.attempt);
  const serviceHost = new URL(service.connectHost).host;
  return answerError(context, name, { locale, serviceHost, brand, returnUrl });
}

/** The browser pages of Connect: the target of the launch form and each provider's redirect URI. */
export function connectPages(service: Service): Hono<FormEnv> {
  const pages = new Hono<FormEnv>();
  const form = { kind: "connect", deadlineMs: LIMITS.connectDeadlineMs, launch: redeemLaunchToken } as const;

  pages.post("/api/connect/redeem", (context) => answerLaunch(context, service, form));

  pages.get("/api/connect/consent", (context) => answerPane(context, service, { ...form, step: "SHOW_PANE" }));
  pages.post("/api/connect/consent", (context) => answerPane(context, service, { ...form, step: "ACCEPT_PANE" }));

  pages.get("/api/connect/callback/:provider", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    if (provider === null) return answerNotFound(context, service);
    const callback = await completeConnect(service, { provider, ...callbackOf(context, service, "connect") });
    return answerCallback(context, service, "connect", callback);
  });

  return pages;
}

/** The browser pages of the identity handoff. */
export function identityPages(service: Service): Hono<FormEnv> {
  const pages = new Hono<FormEnv>();
  const form = { kind: "identity", deadlineMs: LIMITS.identityDeadlineMs, launch: launchIdentity } as const;

  pages.post("/api/identity/redeem", (context) => answerLaunch(context, service, form));

  pages.get("/api/identity/callback", async (context) => {
    const callback = await completeIdentity(service, callbackOf(context, service, "identity"));
    return answerCallback(context, service, "identity", callback);
  });

  pages.post("/api/identity/callback", (context) => getPostedCallback(context, identityRedirectUri(service)));

  return pages;
}
