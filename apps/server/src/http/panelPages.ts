import type { HttpBindings } from "@hono/node-server";
import {
  addMs,
  CONFIRMATION_AGE_MS,
  ConfirmationRequiredError,
  InvalidInputError,
  SIGN_IN_LIFETIME_MS,
} from "@social-connect/domain";
import { CSRF_HEADER } from "@social-connect/transport";
import { type Context, Hono } from "hono";
import { beginSignIn } from "../modules/admin-sessions/beginSignIn.ts";
import { completeSignIn } from "../modules/admin-sessions/completeSignIn.ts";
import {
  csrfToken,
  endSession,
  type FoundSession,
  findSession,
  isCsrfToken,
} from "../modules/admin-sessions/session.ts";
import type { Service } from "../modules/service.ts";
import { securityLog } from "../platform/log/securityLog.ts";
import { arrivalProblem } from "./adminTransport.ts";
import { readExportRequest, respondWithExport } from "./auditExport.ts";
import { bindBrowser, boundBrowserSecret } from "./browserBinding.ts";
import { callerOf } from "./browserSecurity.ts";
import { respondWithConnections } from "./connectionsExport.ts";
import { fieldOf, readForm } from "./forms.ts";
import { type AdminPage, answerAdmin } from "./pages/errorPage.ts";
import { answerPreview, MAX_PREVIEW_BYTES } from "./pages/preview.ts";
import { panelApp } from "./panelApp.ts";
import { dropSessionCookie, sessionTokenOf, setSessionCookie } from "./panelCookie.ts";
import { respondWithPerson } from "./personExport.ts";
import { getPostedCallback } from "./postedCallback.ts";
import { requestQuery } from "./requestQuery.ts";
import { SignInLimit } from "./signInLimit.ts";

type Env = { Bindings: HttpBindings };

const AGAIN = "Go back to the panel and sign in again.";

export const PANEL_PAGES = {
  wrongWay: {
    status: 403,
    title: "The panel cannot be reached here",
    happened: "The panel is only served over HTTPS at its own address.",
    whatToDo: "Use the address that is configured for this service.",
  },
  unavailable: {
    status: 503,
    title: "Sign-in is currently unavailable",
    happened: "The identity provider is unreachable or not configured.",
    whatToDo: "Try again in a minute.",
  },
  tooMany: {
    status: 429,
    title: "Too many sign-ins",
    happened: "Too many sign-ins were started from your network in the last ten minutes.",
    whatToDo: "Wait a few minutes, then sign in again.",
  },
  notAnAdmin: {
    status: 403,
    title: "This account is not an admin",
    happened: "Admins sign in with the verified email address on the list of admins, and always with the same account.",
    whatToDo: "Sign in with another account, or ask an admin to add you.",
  },
  denied: {
    status: 403,
    title: "You did not sign in",
    happened: "The identity provider reports that the sign-in was declined.",
    whatToDo: AGAIN,
  },
  failed: {
    status: 502,
    title: "Sign-in failed",
    happened: "The identity provider's response is invalid.",
    whatToDo: AGAIN,
  },
  promptRefused: {
    status: 502,
    title: "The identity provider did not ask for your account",
    happened: "It refuses requests to choose an account or to sign in again, so this service no longer sends them.",
    whatToDo: "Sign out at the identity provider first, then sign in here again.",
  },
  unknownState: {
    status: 400,
    title: "This sign-in has expired",
    happened: "It was already completed, took too long or was never started.",
    whatToDo: AGAIN,
  },
  foreignBrowser: {
    status: 403,
    title: "Please use the browser you started in",
    happened: "This sign-in was started in another browser.",
    whatToDo: AGAIN,
  },
} as const satisfies Record<string, AdminPage>;

const PAGE_OF_OUTCOME = {
  "not-an-admin": PANEL_PAGES.notAnAdmin,
  denied: PANEL_PAGES.denied,
  failed: PANEL_PAGES.failed,
  "prompt-refused": PANEL_PAGES.promptRefused,
  "unknown-state": PANEL_PAGES.unknownState,
  "foreign-browser": PANEL_PAGES.foreignBrowser,
} as const;

/** The panel's routes: sign-in, confirmation, session, sign-out, and the panel's files. */
export function panelPages(service: Service, panelFolder: string): Hono<Env> {
  const pages = new Hono<Env>();
  const adminUrl = new URL(service.adminHost);
  const limit = new SignInLimit();
  const sessionOf = (context: Context<Env>) => findSession(service, tokenOf(context));
  const tokenOf = (context: Context<Env>) => sessionTokenOf(context.env.incoming, adminUrl);

  pages.use("/panel/*", async (context, next) => {
    const problem = arrivalProblem(context.env.incoming, service);
    if (problem === null) return next();
    recordRequest(context, "admin.transport_refused", problem);
    return answerAdmin(context, { ...PANEL_PAGES.wrongWay, about: panelLine(service) });
  });

  pages.get("/panel/sign-in", (context) => goToIssuer(context, null));

  pages.get("/panel/confirm", async (context) => goToIssuer(context, await sessionOf(context)));

  pages.get("/panel/callback", async (context) => {
    const completed = await completeSignIn(service, {
      query: requestQuery(context),
      browserSecretOf: (signInId) => boundBrowserSecret(context, adminUrl, "panel", signInId),
    });
    const { address, network } = callerOf(context, service);
    if ("signInId" in completed) {
      const { outcome, signInId } = completed;
      const reason = "reason" in completed ? completed.reason : outcome;
      securityLog(service).record("panel.sign_in_failed", { signInId, reason, address }, network);
      return showPage(context, PAGE_OF_OUTCOME[outcome], "returnPath" in completed ? completed.returnPath : undefined);
    }
    const { sessionId, memberId } = completed;
    const event = completed.outcome === "confirmed" ? "panel.confirmed" : "panel.signed_in";
    securityLog(service).record(event, { sessionId, memberId, address }, memberId);
    setSessionCookie(context, adminUrl, completed.token);
    return context.redirect(service.adminHost + completed.returnPath, 303);
  });

  pages.post("/panel/callback", (context) => getPostedCallback(context, `${service.adminHost}/panel/callback`));

  pages.get("/panel/session", async (context) => {
    const [session, token] = [await sessionOf(context), tokenOf(context)];
    if (session === null || token === null) {
      if (token !== null) recordRequest(context, "panel.session_refused", "expired or unknown");
      return context.json(null, 401);
    }
    return context.json(describeSession(session, token, await service.clock.now()));
  });

  pages.post("/panel/sign-out", async (context) => {
    if (isForged(context)) return context.body(null, 403);
    const session = await sessionOf(context);
    if (session !== null) {
      await endSession(service, session);
      const { sessionId, memberId } = session;
      const { address } = callerOf(context, service);
      securityLog(service).record("panel.signed_out", { sessionId, memberId, address }, memberId);
    }
    dropSessionCookie(context, adminUrl);
    return context.body(null, 204);
  });

  pages.post("/panel/audit-export", async (context) => {
    if (isForged(context)) return context.body(null, 403);
    const session = await sessionOf(context);
    if (session === null) return context.json(null, 401);
    const wanted = readExportRequest(requestQuery(context));
    return "message" in wanted ? context.json(wanted, 400) : respondWithExport(service, session, wanted);
  });

  pages.post("/panel/connections-export", async (context) => {
    if (isForged(context)) return context.body(null, 403);
    const session = await sessionOf(context);
    if (session === null) return context.json(null, 401);
    try {
      return await respondWithConnections(service, session, await readForm(context));
    } catch (error) {
      if (error instanceof InvalidInputError) return invalidInput(context, error);
      throw error;
    }
  });

  pages.post("/panel/person-export", async (context) => {
    if (isForged(context)) return context.body(null, 403);
    const session = await sessionOf(context);
    if (session === null) return context.json(null, 401);
    try {
      return await respondWithPerson(service, session, await readForm(context));
    } catch (error) {
      if (error instanceof ConfirmationRequiredError) {
        const { sessionId, memberId } = session;
        const fields = { correlationId: null, operation: "person-export", sessionId, memberId };
        securityLog(service).record("panel.confirmation_missing", fields, sessionId);
        return context.json({ message: error.message }, 428);
      }
      if (error instanceof InvalidInputError) return invalidInput(context, error);
      throw error;
    }
  });

  // A form, because a frame shows the response; the panel's referrer policy hides its origin.
  pages.post("/panel/preview", async (context) => {
    const form = await readForm(context, MAX_PREVIEW_BYTES);
    const token = tokenOf(context);
    const isOwn = token !== null && isCsrfToken(token, fieldOf(form, "csrfToken"));
    if (!isOwn || (await sessionOf(context)) === null) return context.body(null, 403);
    return answerPreview(context, service, (name) => fieldOf(form, name));
  });

  /** Whether another page than the panel's may have sent a change. */
  function isForged(context: Context<Env>): boolean {
    const token = tokenOf(context);
    const isOwn = context.req.header("origin") === adminUrl.origin;
    if (isOwn && token !== null && isCsrfToken(token, context.req.header(CSRF_HEADER) ?? null)) return false;
    const reason = isOwn ? "the CSRF token is missing or wrong" : "wrong or missing Origin header";
    recordRequest(context, "panel.request_forged", reason);
    return true;
  }

  /**
   * An error page with links to the panel and to a sign-in with another account: an issuer repeats the same account. The page
   * also says where to sign out, for an issuer that offers no choice.
   */
  function showPage(context: Context<Env>, page: AdminPage, returnPath = "/panel") {
    const { issuer } = service;
    const signOut = issuer && { href: new URL(issuer.url).origin, text: `Sign out at ${new URL(issuer.url).host}` };
    const links = [
      {
        href: `/panel/sign-in?${new URLSearchParams({ account: "other", returnTo: returnPath })}`,
        text: "Use another account",
      },
      { href: returnPath, text: "Back to the panel" },
      ...(signOut === null ? [] : [signOut]),
    ];
    return answerAdmin(context, { ...page, about: panelLine(service), links });
  }

  function recordRequest(
    context: Context<Env>,
    event: "admin.transport_refused" | "panel.request_forged" | "panel.session_refused",
    reason: string,
  ) {
    const { address, network } = callerOf(context, service);
    const code = event === "panel.session_refused" ? "UNAUTHENTICATED" : "FORBIDDEN";
    const nothing = { correlationId: null, code, keyId: null, sessionId: null };
    securityLog(service).record(event, { ...nothing, api: "panel", reason, address }, network);
  }

  async function goToIssuer(context: Context<Env>, session: FoundSession | null) {
    const { address, network } = callerOf(context, service);
    const retryAfterSeconds = limit.take(network);
    if (retryAfterSeconds !== null) {
      securityLog(service).record("panel.sign_in_limited", { address, retryAfterSeconds }, network);
      context.header("retry-after", String(retryAfterSeconds));
      return showPage(context, PANEL_PAGES.tooMany);
    }
    const returnPath = panelPath(context.req.query("returnTo"), adminUrl);
    const isOtherAccount = context.req.query("account") === "other";
    const begun = await beginSignIn(service, { session, returnPath, isOtherAccount });
    if (begun === null) return showPage(context, PANEL_PAGES.unavailable, returnPath);
    const { signInId: attemptId, browserSecret } = begun;
    const maxAgeSeconds = SIGN_IN_LIFETIME_MS / 1_000;
    bindBrowser(context, adminUrl, { kind: "panel", attemptId, browserSecret, maxAgeSeconds });
    return context.redirect(begun.location.href, 303);
  }

  return pages.route("/", panelApp(panelFolder, service.mode));
}

/** The panel's view of its session. Only pages of this origin can read the CSRF token: no CORS headers are set. */
function invalidInput(context: Context<Env>, { field, message }: InvalidInputError): Response {
  return context.json({ field: field ?? "", message }, 400);
}

function describeSession({ email, authenticatedAt, expiresAt }: FoundSession, token: string, now: Date) {
  return {
    email,
    /** The service's time, for browsers whose clock is wrong. */
    now: now.toISOString(),
    csrfToken: csrfToken(token).reveal(),
    /** The end of the period in which no new confirmation is needed. */
    confirmedUntil: addMs(authenticatedAt, CONFIRMATION_AGE_MS).toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** What an admin signs in to. */
function panelLine({ mode, adminHost }: Service): string {
  return `Social Connect admin panel, ${mode.toUpperCase()} mode, at ${new URL(adminHost).host}.`;
}

/** Longer than any URL of the panel. It is stored before sign-in, so its size must be bounded. */
const MAX_PANEL_PATH_LENGTH = 2_048;

/** Only a page of the panel: an open redirect otherwise. */
export function panelPath(text: string | undefined, adminUrl: URL): string {
  const url = URL.parse(text ?? "/panel", adminUrl.href);
  if (url?.origin !== adminUrl.origin || !/^\/panel(?:\/|$)/.test(url.pathname)) return "/panel";
  const path = url.pathname + url.search;
  return path.length <= MAX_PANEL_PATH_LENGTH ? path : "/panel";
}
