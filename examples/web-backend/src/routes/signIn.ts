import { Hono } from "hono";
import { type AppEnvironment, type Dependencies, within } from "../core/context.ts";
import { endSession, startSession } from "../core/session.ts";
import { signInPage } from "../views/signIn.ts";

/** The sign-in page is public, so it asks the service at most this often. */
const RECHECK_MS = 30_000;

/** A stand-in for an application's own sign-in. */
export function signInRoutes(dependencies: Dependencies) {
  const { social, store, clock } = dependencies;
  let askAgainAtMs = 0;
  let answer = Promise.resolve(false);
  const routes = new Hono<AppEnvironment>();

  routes.get("/sign-in", async (c) => c.html(signInPage(await hasIdentity())));

  routes.post("/sign-in", async (c) => {
    const { user: userId } = await c.req.parseBody();
    const user = store.users.get(String(userId));
    if (user === undefined) return c.html(signInPage(await hasIdentity()), 400);
    await startSession(c, dependencies, user.id);
    return c.redirect("/", 303);
  });

  routes.post("/sign-out", (c) => {
    endSession(c);
    return c.redirect("/sign-in", 303);
  });

  /** Without an answer of the service the page offers the other ways to sign in. */
  async function hasIdentity(): Promise<boolean> {
    const nowMs = clock.now().getTime();
    if (nowMs >= askAgainAtMs) {
      askAgainAtMs = nowMs + RECHECK_MS;
      answer = social.readiness(within(dependencies)).then(
        ({ idpIdentityAvailable }) => idpIdentityAvailable,
        () => false,
      );
    }
    return answer;
  }

  return routes;
}
