import { launchPage, type SettledConnectResult, TimeoutError } from "@social-connect/sdk";
import { Hono } from "hono";
import { html } from "hono/html";
import {
  type AppContext,
  type AppEnvironment,
  type Dependencies,
  readDeadline,
  secondsFromNow,
} from "../core/context.ts";
import { explainConnectResult } from "../core/explain.ts";
import { connectForm, popupNotice } from "../views/components.ts";
import { handoverPage } from "../views/handover.ts";
import { linkButton, messagePage } from "../views/layout.ts";
import { providerById, providerName } from "../views/providers.ts";

/** A visitor sees progress after this long, instead of a page that does not come. */
const PATIENCE_SECONDS = 3;

/** Made by the page that opens the popup. */
const POPUP_ID = /^[0-9a-f]{32}$/;

const PROGRESS: Readonly<Record<string, string>> = {
  CREATED: "Waiting for the provider's page to open.",
  AUTHORIZING: "Waiting for your answer at the provider.",
  EXCHANGING: "You agreed. The account is being linked.",
};

export function connectRoutes(dependencies: Dependencies) {
  const { settings, store } = dependencies;
  const routes = new Hono<AppEnvironment>();

  routes.post("/connect", async (c) => {
    const { user, subject } = c.get("signedIn");
    const { provider: providerId, connectionId, popup } = await c.req.parseBody();
    const provider = providerById(providerId);
    if (provider === undefined)
      return c.html(messagePage({ title: "No such provider", text: "Choose one from the list.", user }), 400);
    const session = await subject.connect({
      provider: provider.id,
      capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
      returnUrl: settings.returnUrl,
      ...(typeof connectionId === "string" && connectionId !== "" ? { reconnectConnectionId: connectionId } : {}),
    });
    // Stored before the browser leaves, so that only the owner of this id is accepted on return.
    store.rememberAttempt(session.id, {
      userId: user.id,
      provider: provider.id,
      popup: typeof popup === "string" && POPUP_ID.test(popup) ? popup : undefined,
      pane: new URL(`consent?attempt=${session.id}`, session.launchUrl).href,
    });
    const launch = launchPage(session, {
      title: `On to ${provider.name}`,
      text: "You decide there what this application may read.",
    });
    return c.body(launch.html, 200, { ...launch.headers });
  });

  /** `ss_status` is what the browser says, so it is not even read: only the service's own result counts. */
  routes.get("/return", async (c) => {
    const { user, subject } = c.get("signedIn");
    const sessionId = c.req.query("ss_session_id") ?? "";
    const attempt = store.attemptOf(user.id, sessionId);
    if (attempt === undefined) {
      const text = "This return address does not belong to anything you started here.";
      return c.html(
        messagePage({ title: "Nothing to finish", text, user, mood: "bad" }, linkButton("/", "Your accounts")),
        404,
      );
    }
    if (attempt.popup !== undefined && c.req.query("display") !== "page") {
      return c.html(handoverPage(user, sessionId, attempt.popup));
    }
    try {
      const deadline = secondsFromNow(dependencies, PATIENCE_SECONDS);
      const result = await subject.connectResult(sessionId).wait({ deadline });
      if (result.status === "COMPLETED") return c.redirect(`/accounts/${encodeURIComponent(result.connectionId)}`, 303);
      return notLinked(c, result);
    } catch (error) {
      if (!TimeoutError.is(error)) throw error;
      const text = PROGRESS[error.lastStatus ?? ""] ?? "The service is being asked how it went.";
      const title = `Linking ${providerName(attempt.provider)}`;
      const reload = { seconds: 1, path: returnPath(c, sessionId) };
      return c.html(messagePage({ title, text, user, mood: "busy", reload }, linkButton("/", "Not now")));
    }
  });

  /** For a page whose popup was closed: the attempt in it, if that has ended. */
  routes.get("/connect/popups/:popup", async (c) => {
    const { user, subject } = c.get("signedIn");
    const attempt = store.attemptInPopup(user.id, c.req.param("popup"));
    if (attempt === undefined) return c.json({ attempt: null });
    const { status } = await subject.connectResult(attempt).poll({ deadline: readDeadline(dependencies) });
    return c.json({ attempt: status in PROGRESS ? null : attempt });
  });

  /** For a user who closed the popup: the attempt can be continued or canceled. */
  routes.get("/connect/popups/:popup/pane", (c) => {
    const { user } = c.get("signedIn");
    const id = store.attemptInPopup(user.id, c.req.param("popup")) ?? "";
    return c.redirect(store.attemptOf(user.id, id)?.pane ?? "/", 303);
  });

  return routes;
}

function returnPath(c: AppContext, sessionId: string): string {
  const display = c.req.query("display") === "page" ? "display=page&" : "";
  return `/return?${display}ss_session_id=${encodeURIComponent(sessionId)}`;
}

function notLinked(c: AppContext, result: SettledConnectResult) {
  const { user } = c.get("signedIn");
  const title = result.status === "DENIED" ? "Nothing was linked" : "The account was not linked";
  const actions = html`${popupNotice()}${connectForm(result.provider, { label: "Try again", available: true })}${linkButton("/", "Your accounts")}`;
  return c.html(messagePage({ title, text: explainConnectResult(result), user, mood: "bad" }, actions));
}
