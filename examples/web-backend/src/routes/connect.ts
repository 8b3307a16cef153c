import { launchPage, TimeoutError } from "@social-connect/sdk";
import { Hono } from "hono";
import { html } from "hono/html";
import { type AppEnvironment, type Dependencies, within } from "../core/context.ts";
import { explainConnectResult } from "../core/explain.ts";
import { ownOf } from "../core/store.ts";
import { connectForm } from "../views/components.ts";
import { linkButton, messagePage } from "../views/layout.ts";
import { providerById, providerName } from "../views/providers.ts";

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
    const { provider: providerId, connectionId } = await c.req.parseBody();
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
    store.attempts.set(session.id, { userId: user.id, provider: provider.id });
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
    const home = linkButton("/", "Your accounts");
    const attempt = ownOf(store.attempts, user, sessionId);
    if (attempt === undefined) {
      const text = "This return address does not belong to anything you started here.";
      return c.html(messagePage({ title: "Nothing to finish", text, user, mood: "bad" }, home), 404);
    }
    try {
      const result = await subject.connectResult(sessionId).wait(within(dependencies));
      if (result.status === "COMPLETED") return c.redirect(`/accounts/${encodeURIComponent(result.connectionId)}`, 303);
      const title = result.status === "DENIED" ? "Nothing was linked" : "The account was not linked";
      const actions = html`${connectForm(result.provider, { label: "Try again", available: true })}${home}`;
      return c.html(messagePage({ title, text: explainConnectResult(result), user, mood: "bad" }, actions));
    } catch (error) {
      // After a few seconds the user sees progress, instead of a page that does not come.
      if (!TimeoutError.is(error)) throw error;
      const text = PROGRESS[error.lastStatus ?? ""] ?? "The service is being asked how it went.";
      const title = `Linking ${providerName(attempt.provider)}`;
      const reload = { seconds: 1, path: `/return?ss_session_id=${encodeURIComponent(sessionId)}` };
      return c.html(messagePage({ title, text, user, mood: "busy", reload }, home));
    }
  });

  return routes;
}
