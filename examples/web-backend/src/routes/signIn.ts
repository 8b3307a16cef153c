import { Hono } from "hono";
import type { AppEnvironment, Dependencies } from "../core/context.ts";
import { endSession, startSession } from "../core/session.ts";
import { userById } from "../core/users.ts";
import { signInPage } from "../views/signIn.ts";

/** A stub in place of an application's own sign-in. */
export function signInRoutes(dependencies: Dependencies) {
  const routes = new Hono<AppEnvironment>();

  routes.get("/sign-in", (c) => c.html(signInPage()));

  routes.post("/sign-in", async (c) => {
    const { user: userId } = await c.req.parseBody();
    const user = typeof userId === "string" ? userById(userId) : undefined;
    if (user === undefined) return c.html(signInPage(), 400);
    await startSession(c, dependencies, user.id);
    return c.redirect("/", 303);
  });

  routes.post("/sign-out", (c) => {
    endSession(c, dependencies);
    return c.redirect("/sign-in", 303);
  });

  return routes;
}
