import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type IdpIdentityResult, launchPage, NotFoundError } from "@social-connect/sdk";
import { Hono } from "hono";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { html } from "hono/html";
import type { AppContext, AppEnvironment, Dependencies } from "../core/context.ts";
import { cookieOptions, startSession } from "../core/session.ts";
import type { Handoff } from "../core/store.ts";
import { linkButton, messagePage } from "../views/layout.ts";
import { identityForm } from "../views/signIn.ts";

/** Binds a sign-in to the browser that started it. The cookie has only a random id: the proof stays on the server. */
const COOKIE = "example_handoff";
/** The result of a handoff can be redeemed for this long. */
const TWENTY_MINUTES_SECONDS = 20 * 60;
const TEN_MINUTES_MS = 10 * 60_000;
const MOST_STARTS = 5;

const RESULTS: Readonly<Record<string, string>> = {
  DENIED: "You did not sign in there, so you are not signed in here.",
  FAILED: "The identity provider could not complete the sign-in.",
  EXPIRED: "The ten minutes for this sign-in have passed.",
};

/** Signs users in through the identity provider of the deployment; see the guide "Identity handoff". */
export function identityRoutes(dependencies: Dependencies) {
  const { social, settings, store, clock } = dependencies;
  const { tenantKey, sessionSecret } = settings;
  const routes = new Hono<AppEnvironment>();

  // #region identity-limit
  let starts: readonly { readonly visitor: string; readonly atMs: number }[] = [];
  routes.post("/identity", async (c) => {
    const [visitor, atMs] = [addressOf(c), clock.now().getTime()];
    starts = starts.filter((start) => start.atMs > atMs - TEN_MINUTES_MS);
    if (starts.filter((start) => start.visitor === visitor).length >= MOST_STARTS) return tooMany(c);
    starts = [...starts, { visitor, atMs }];
    const handoff = await social.createIdpIdentitySession({ tenantKey, returnUrl: settings.identityReturnUrl });
    await bindToBrowser(c, { sessionId: handoff.id, resultProof: handoff.resultProof.reveal() });
    const launch = launchPage(handoff, { title: "On to the sign-in", text: "You return here afterwards." });
    return c.body(launch.html, 200, { ...launch.headers });
  });
  // #endregion identity-limit

  /** Anyone can open this address, so it counts only in the browser that started the sign-in. */
  routes.get("/identity-return", async (c) => {
    const id = (await getSignedCookie(c, sessionSecret, COOKIE)) || "";
    const handoff = store.handoffs.get(id);
    if (handoff === undefined || handoff.sessionId !== c.req.query("ss_session_id")) return nothingToFinish(c);
    const result = await redeem(handoff);
    if (result === null) return notSignedIn(c, "The result of this sign-in was already used or has expired.");
    if (result.status === "PENDING") return pending(c, handoff.sessionId);
    // Every other result is returned only once.
    store.handoffs.delete(id);
    deleteCookie(c, COOKIE);
    if (result.status !== "COMPLETED") return notSignedIn(c, RESULTS[result.status] ?? "The sign-in did not succeed.");
    await startSession(c, dependencies, store.userOf(result).id);
    return c.redirect("/", 303);
  });

  async function bindToBrowser(c: AppContext, handoff: Handoff): Promise<void> {
    const id = randomUUID();
    store.handoffs.set(id, handoff);
    await setSignedCookie(c, COOKIE, id, sessionSecret, cookieOptions(dependencies, TWENTY_MINUTES_SECONDS));
  }

  async function redeem({ sessionId, resultProof }: Handoff): Promise<IdpIdentityResult | null> {
    return social.redeemIdpIdentity({ id: sessionId, tenantKey, resultProof }).catch((error: unknown) => {
      if (NotFoundError.is(error)) return null;
      throw error;
    });
  }

  return routes;
}

/** Behind a proxy, this is the proxy's address: take the visitor's from the header that it sets. */
function addressOf(c: AppContext): string {
  const { incoming } = Object(c.env) as { readonly incoming?: IncomingMessage };
  return incoming?.socket.remoteAddress ?? "unknown";
}

function tooMany(c: AppContext) {
  const text = "You started several sign-ins. Finish one of them, or try again in ten minutes.";
  return c.html(messagePage({ title: "Too many sign-ins", text, mood: "bad" }, linkButton("/sign-in", "Sign in")), 429);
}

function nothingToFinish(c: AppContext) {
  const text = "This address finishes a sign-in that was started in this browser. No sign-in was started here.";
  const actions = linkButton("/sign-in", "Sign in", "primary");
  return c.html(messagePage({ title: "No sign-in to finish", text, mood: "bad" }, actions), 404);
}

function notSignedIn(c: AppContext, text: string) {
  const actions = html`${identityForm("Try again")}${linkButton("/sign-in", "Other ways to sign in")}`;
  return c.html(messagePage({ title: "You are not signed in", text, mood: "bad" }, actions));
}

function pending(c: AppContext, sessionId: string) {
  const reload = { seconds: 2, path: `/identity-return?ss_session_id=${encodeURIComponent(sessionId)}` };
  const text = "The identity provider has not completed the sign-in yet.";
  return c.html(messagePage({ title: "One moment", text, mood: "busy", reload }, linkButton("/sign-in", "Not now")));
}
